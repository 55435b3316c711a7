// The photographs that set-up fetched, and the picture for a name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/json/json_reader.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/image/image.h"
#include "core/system/capabilities.h"
#include "core/system/places.h"
#include "warplens_config.h"

namespace warplens {

namespace {

constexpr std::string_view default_photo = "astronaut";
constexpr std::string_view rendered_name = "rendered";
constexpr const char* credits_file = "credits.json";

std::string photos_folder() {
  if (auto chosen = chosen_path("WARPLENS_PHOTOS_DIR")) return *chosen;
  for (const std::string& place : places_of(config::photos, config::photos_folder)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(place, ignored)) return place;
  }
  return "";
}

// The folder's own credits. A folder without any may be that of scikit-image, whose photographs are known.
std::optional<std::string> credits_of(const std::filesystem::path& folder) {
  constexpr uint64_t largest_credits = 1 << 20;
  std::error_code ignored;
  if (!std::filesystem::exists(folder / credits_file, ignored))
    return std::string(find_embedded("photo_credits.json"));
  Result<std::string> text = read_text((folder / credits_file).string(), largest_credits);
  return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
}

SamplePhoto read_photo(JsonReader& reader, const JsonNode& node, const std::filesystem::path& folder) {
  const std::filesystem::path file = reader.text(reader.required(node, "file"));
  SamplePhoto photo;
  photo.name = file.stem().string();
  photo.path = (folder / file.filename()).string();  // never outside of the folder
  photo.title = reader.text(reader.required(node, "title"));
  photo.credit = fmt::format("{}, {} ({})", photo.title, reader.text(reader.member(node, "author")),
                             reader.text(reader.member(node, "licence")));
  return photo;
}

// "hubble" is accepted for "hubble_deep_field".
const SamplePhoto* find_photo(const std::vector<SamplePhoto>& photos, const std::string& name) {
  for (const SamplePhoto& photo : photos)
    if (lower_case(photo.name) == lower_case(name)) return &photo;
  for (const SamplePhoto& photo : photos)
    if (!name.empty() && lower_case(photo.name).starts_with(lower_case(name) + "_")) return &photo;
  return nullptr;
}

Result<Image> load_photo(const SamplePhoto& photo, uint32_t channels) {
  Result<Image> image = load_image(photo.path, channels);
  if (image) image->credit = photo.credit;
  return image;
}

Image rendered(uint32_t channels) {
  const Image image = rendered_sample(768, 512);
  return with_channels(image, channels == 0 ? image.channels : channels);
}

Error unknown_picture(const std::string& name, const std::vector<SamplePhoto>& photos) {
  std::string known(rendered_name);
  for (const SamplePhoto& photo : photos) known += ", " + photo.name;
  const char* set_up = photos.empty() ? " warplens fetch photos brings the sample photographs." : "";
  return bad_input(fmt::format(
      "{}: there is no such file, and no sample picture of that name; there are {}.{}", name, known, set_up));
}

}  // namespace

std::vector<SamplePhoto> sample_photos() {
  const std::filesystem::path folder = photos_folder();
  if (folder.empty()) return {};
  const std::string credits = (folder / credits_file).string();
  const std::optional<std::string> text = credits_of(folder);
  if (!text) return {};
  const Result<Json> document = parse_json(*text, credits);
  if (!document) return {};
  JsonReader reader(credits);
  const JsonNode list = reader.required({&*document, ""}, "photos");
  std::vector<SamplePhoto> photos;
  for (size_t i = 0; i < reader.array_size(list); ++i) {
    SamplePhoto photo = read_photo(reader, reader.element(list, i), folder);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(photo.path, ignored)) photos.push_back(std::move(photo));
  }
  return reader.ok() ? photos : std::vector<SamplePhoto>();
}

Result<Image> open_picture(const std::string& name_or_path, uint32_t channels) {
  if (channels == 2 || channels > 4)
    return bad_input(fmt::format("Pictures have 1, 3 or 4 channels, not {}.", channels));
  if (lower_case(name_or_path) == rendered_name) return rendered(channels);
  const std::vector<SamplePhoto> photos = sample_photos();
  if (name_or_path.empty()) {
    // A page starts before its photographs are downloaded, and a link must show the same picture later. If
    // the photograph is damaged, the program still shows a picture.
    const SamplePhoto* photo = is_a_page() ? nullptr : find_photo(photos, std::string(default_photo));
    if (photo != nullptr)
      if (Result<Image> image = load_photo(*photo, channels)) return image;
    return rendered(channels);
  }
  if (const SamplePhoto* photo = find_photo(photos, name_or_path)) return load_photo(*photo, channels);
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_path, ignored) &&
      name_or_path.find_first_of("./\\") == std::string::npos)
    return unknown_picture(name_or_path, photos);
  return load_image(name_or_path, channels);
}

}  // namespace warplens
