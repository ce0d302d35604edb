// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names that headers of operating systems and other libraries define as macros.

#undef min
#undef max
#define min(a, b) hostile macro min
#define max(a, b) hostile macro max
#define small hostile macro small
#define near hostile macro near
#define far hostile macro far
#define interface hostile macro interface
#define hyper hostile macro hyper
#define major hostile macro major
#define minor hostile macro minor
#define Status hostile macro Status
#define None hostile macro None
#define Bool hostile macro Bool
#define Success hostile macro Success
#define I hostile macro I
#define B0 hostile macro B0
#define DOMAIN hostile macro DOMAIN
#define OVERFLOW hostile macro OVERFLOW
#define EPSILON hostile macro EPSILON
#define _A hostile macro _A
#define _B hostile macro _B
#define _T hostile macro _T
