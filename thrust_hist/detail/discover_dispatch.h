// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Keys whose number of bins nobody has given: the largest key + 1. They are counted while it is
/// looked for where there is room for all of them, and else read once or twice more.

#include <thrust_hist/bins.h>
#include <thrust_hist/config.h>
#include <thrust_hist/detail/dispatch.h>
#include <thrust_hist/detail/iterator_types.h>
#include <thrust_hist/detail/one_past.h>
#include <thrust_hist/detail/output.h>
#include <thrust_hist/detail/overload.h>
#include <thrust_hist/detail/policy.h>
#include <thrust_hist/detail/samples.h>
#include <thrust_hist/detail/temporary.h>
#include <thrust_hist/detail/transfer.h>
#include <thrust_hist/options.h>
#include <thrust_hist/system/host/discover.h>
#if defined(__CUDACC__)
#  include <thrust_hist/system/cuda/discover.cuh>
#endif

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>

THRUST_HIST_NAMESPACE_BEGIN
namespace detail {

/// One past the largest key; 0 for none.
template <class Policy, class Iterator>
std::uint64_t one_past_all(Policy& policy, Iterator first, Iterator last) {
  using key = value_t<Iterator>;
  auto const n = static_cast<std::uint64_t>(last - first);
  if constexpr (!std::is_same_v<system_of_t<Policy>, cuda_system>) {
    host::one_past_chunk<Iterator> const past{first, n};
    constexpr std::uint64_t worth_workers = 1 << 14;  // unless it takes long to read one
    if (n == 0 || (is_in_memory<Iterator> && n < worth_workers)) {
      return past.in(0, n);
    }
    thrust::counting_iterator<std::uint64_t> const chunks(0);
    return detail::reduce_range(
        system_of_t<Policy>{}, policy, thrust::make_transform_iterator(chunks, past),
        (n - 1) / past.size + 1, std::uint64_t{0}, larger{}, options{});
  } else if constexpr (std::is_integral_v<key> && !std::is_same_v<key, bool>) {
    using integer = integer_t<key>;
    integer const largest = detail::reduce_range(
        system_of_t<Policy>{}, policy, first, n, std::numeric_limits<integer>::lowest(),
        thrust::maximum<integer>{}, options{});
    return n == 0 ? 0 : one_past<integer>{}(largest);
  } else {
    return thrust::transform_reduce(
        algorithm_policy(policy), first, last, one_past<key>{}, std::uint64_t{0}, larger{});
  }
}

/// Throws std::length_error for more bins than options::max_bins().
inline void require_most_bins(std::uint64_t bins, options const& o) {
  if (bins > o.max_bins_) {
    throw std::length_error(
        "thrust_hist: the keys need " + std::to_string(bins) +
        " bins, which is more than max_bins = " + std::to_string(o.max_bins_));
  }
}

/// Calls `count(place)` with an output for so many bins: an iterator, or the begin of a container
/// that was resized.
template <class Out, class Count>
void count_into(Out& out, std::uint64_t bins, options const& o, Count const& count) {
  if constexpr (is_container<Out>) {
    detail::resized_for(out, static_cast<std::size_t>(bins), o, [&] { count(out.begin()); });
  } else {
    count(out);
  }
}

/// Counts keys into so many bins, which is as many as they need, and returns their number.
template <class Policy, class Iterator, class Out>
std::uint64_t count_into_bins(
    Policy& policy, Iterator first, Iterator last, std::uint64_t bins, Out& out, options const& o) {
  detail::require_most_bins(bins, o);
  detail::count_into(out, bins, o, [&](auto place) {
    detail::count_range(policy, first, last, identity_bins(bins), place, o);
  });
  return bins;
}

/// Whether n keys may be counted while their bins are discovered: counters of 32 bits hold them,
/// and nothing is asked that another way to count them would answer.
inline bool may_count_at_once(std::uint64_t n, options const& o) {
  return n > 0 && n >> 32 == 0 && o.force_ == route::automatic && o.dropped_ == nullptr &&
         !wants_check(o);
}

/// Keys that are counted on a host system in room for so many bins, of which nobody knows whether
/// they are enough.
template <class Policy, class Iterator>
class keys_in_room {
public:
  keys_in_room(Policy& policy, Iterator first, std::uint64_t n, std::uint64_t room)
      : policy_(policy), first_(first), n_(n), room_(room) {}

  /// What the counts take.
  std::size_t bytes() const noexcept { return room_ * sizeof(std::uint32_t); }

  /// Counts them. Returns how many bins they need: if these are beyond the room, counts are not
  /// complete.
  std::uint64_t count_into(std::uint32_t* counts) const {
    std::uint64_t const tried = host::keys_to_try(n_);
    if (tried > 0) {
      count(counts, 0, tried, {});
      if (bins_of(counts, tried) > room_) {
        return bins_of_all(n_);
      }
    }
    count(counts, tried, n_, options{}.accumulate(tried > 0));
    return bins_of(counts, n_);
  }
  void explain(options const& o) const { count(nullptr, 0, n_, o); }

private:
  void count(
      std::uint32_t* counts, std::uint64_t begin, std::uint64_t end, options const& o) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    detail::count(
        system_of_t<Policy>{}, policy_, first_ + static_cast<difference>(begin), end - begin,
        identity_bins(room_), counts, o);
  }
  /// Of the first so many, which were counted.
  std::uint64_t bins_of(std::uint32_t const* counts, std::uint64_t keys) const {
    if (std::accumulate(counts, counts + room_, std::uint64_t{0}) != keys) {
      return bins_of_all(keys);  // the others are negative, or have no room
    }
    std::uint64_t bins = room_;
    while (bins > 0 && counts[bins - 1] == 0) {
      --bins;
    }
    return bins;
  }
  std::uint64_t bins_of_all(std::uint64_t keys) const {
    using difference = typename thrust::iterator_traits<Iterator>::difference_type;
    return detail::one_past_all(policy_, first_, first_ + static_cast<difference>(keys));
  }

  Policy& policy_;
  Iterator first_;
  std::uint64_t n_;
  std::uint64_t room_;
};

/// Counts keys on a host system into as many bins as they need, with one pass over them if `room`
/// bins are enough for all of them. Returns the number of bins.
template <class Policy, class Iterator, class Out>
std::uint64_t count_in_room(
    Policy& policy, Iterator first, Iterator last, std::uint64_t room, Out& out, options const& o) {
  keys_in_room<Policy, Iterator> const keys(
      policy, first, static_cast<std::uint64_t>(last - first), room);
  std::uint64_t bins = 0;
  {
    temporary_array<std::uint32_t, Policy> const memory(policy, room);
    std::uint32_t const* const counts = memory.data();
    bins = keys.count_into(memory.data());
    if (bins <= room) {
      detail::require_most_bins(bins, o);
      detail::count_into(out, bins, o, [&](auto place) {
        count_writer<decltype(place)> const write{place, o.accumulate_};
        for (std::uint64_t bin = 0; bin < bins; ++bin) {
          write(bin, counts[bin]);
        }
      });
      return bins;
    }
  }
  return detail::count_into_bins(policy, first, last, bins, out, o);
}

/// Tells what it would do, and returns the number of bins.
template <class Policy, class Iterator, class Out>
std::uint64_t explain_in_room(
    Policy& policy, Iterator first, Iterator last, std::uint64_t room, Out& out, options const& o) {
  keys_in_room<Policy, Iterator> const keys(
      policy, first, static_cast<std::uint64_t>(last - first), room);
  std::uint64_t const bins = detail::one_past_all(policy, first, last);
  detail::require_most_bins(bins, o);
  with_reserved(options{}.explain(o.explain_), keys.bytes(), [&](options const& rest) {
    keys.explain(rest);
  });
  if (bins > room) {  // and that in vain
    std::size_t const bytes = o.explain_->scratch_bytes;
    detail::count_into_bins(policy, first, last, bins, out, o);
    o.explain_->scratch_bytes = (std::max)(o.explain_->scratch_bytes, bytes);
  }
  return bins;
}

#if defined(__CUDACC__)
/// The same on CUDA, with one pass where a table in shared memory has room for all.
template <class Policy, class Iterator, class Out>
std::uint64_t count_at_once(
    Policy& policy, Iterator first, Iterator last, Out& out, options const& o) {
  cuda::discovered_counts found(
      stream_of(policy), first, static_cast<std::uint64_t>(last - first), o.max_bins_);
  auto const write = [&](auto place, options const& rest) { found.write(place, rest); };
  // An output in device memory can wait for its counts there, whatever their number.
  constexpr bool is_ready =
      !is_container<Out> && !is_host_container_iterator<std::remove_const_t<Out>>;
  if constexpr (is_ready) {
    constexpr std::uint64_t unknown = 0;
    detail::with_device_output(policy, out, unknown, o, write);
  }
  std::uint64_t const bins = found.wait();
  detail::require_most_bins(bins, o);
  if (!found.are_complete()) {
    found.give_back();
    return detail::count_into_bins(policy, first, last, bins, out, o);
  }
  if constexpr (!is_ready) {
    detail::count_into(out, bins, o, [&](auto place) {
      detail::with_device_output(policy, place, bins, o, write);
      found.wait();
    });
  }
  found.give_back();
  return bins;
}
#endif

/// Counts keys into as many bins as they need, and waits. Returns their number. Throws
/// std::length_error for more than options::max_bins().
template <class Policy, class Iterator, class Out>
std::uint64_t count_discovered(
    Policy& policy, Iterator first, Iterator last, Out& out, options const& o) {
  using system = system_of_t<Policy>;
  require_not_captured(system{}, policy, "the number of bins is not given, and to learn it waits");
  auto const n = static_cast<std::uint64_t>(last - first);
  [[maybe_unused]] bool const is_free = detail::may_count_at_once(n, o);
  if constexpr (!std::is_same_v<system, cuda_system>) {
    bool const is_capped = o.max_temporary_bytes_ != options{}.max_temporary_bytes_;
    std::uint64_t const room = is_free && !is_capped ? host::room_for_keys(first, n) : 0;
    if (room > 0) {
      detail::require_readable<output_iterator_t<Out>>(o);
      return o.explain_ == nullptr ? detail::count_in_room(policy, first, last, room, out, o)
                                   : detail::explain_in_room(policy, first, last, room, out, o);
    }
  }
#if defined(__CUDACC__)
  if constexpr (std::is_same_v<system, cuda_system>) {
    cuda::require_device_input<Iterator>();
    if (is_free) {
      return detail::count_at_once(policy, first, last, out, o);
    }
  }
#endif
  return detail::count_into_bins(
      policy, first, last, detail::one_past_all(policy, first, last), out, o);
}

}  // namespace detail
THRUST_HIST_NAMESPACE_END
