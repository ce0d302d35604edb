// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <png.h>

#include <stdexcept>
#include <string>
#include <vector>

/// A picture as rows of red, green, blue, red, green, blue ... in bytes.
struct png_picture {
  unsigned width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

inline png_image empty_png_image() {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  return image;
}

inline png_picture read_png(std::string const& path) {
  png_image image = empty_png_image();
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) {
    throw std::runtime_error(path + ": " + image.message);
  }
  image.format = PNG_FORMAT_RGB;  // whatever the file holds
  png_picture picture{image.width, image.height, std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  if (png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) == 0) {
    throw std::runtime_error(path + ": " + image.message);
  }
  return picture;
}

inline void write_png(std::string const& path, png_picture const& picture) {
  png_image image = empty_png_image();
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.rgb.data(), 0, nullptr) == 0) {
    throw std::runtime_error(path + ": " + image.message);
  }
}
