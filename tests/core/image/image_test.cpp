#include "core/image/image.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/image/orientation.h"
#include "tests/environment.h"
#include "tests/paths.h"
#include "warplens_config.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    m_folder =
        fs::temp_directory_path() /
        ("warplens-image-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(m_folder);
    fs::create_directories(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }
  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path m_folder;
};

Image gradient(uint32_t width, uint32_t height, uint32_t channels) {
  Image image{width, height, channels, {}, "gradient", {}};
  for (uint64_t i = 0; i < uint64_t{width} * height * channels; ++i)
    image.pixels.push_back(uint8_t(i * 31 + i / 7));
  return image;
}

std::string error_of(const Result<Image>& image) { return image ? "no error" : image.error().message; }

TEST_F(Pictures, LosslessFormatsKeepEveryByte) {
  for (const char* ending : {"png", "PNG", "bmp", "tga"})
    for (uint32_t channels : {1u, 3u, 4u})
      for (auto [width, height] : {std::pair{1u, 1u}, {1u, 4097u}, {4096u, 3u}, {33u, 17u}}) {
        if (channels == 4 && std::string(ending) == "bmp")
          continue;  // stb_image reads its alpha back unreliably
        const Image image = gradient(width, height, channels);
        const std::string file = path(std::string("a.") + ending);
        auto saved = save_image(image, file);
        ASSERT_TRUE(saved) << saved.error().message;
        auto loaded = load_image(file, channels);
        ASSERT_TRUE(loaded) << error_of(loaded);
        EXPECT_EQ(loaded->width, width);
        EXPECT_EQ(loaded->height, height);
        EXPECT_EQ(loaded->pixels, image.pixels) << ending << channels << " " << width << "×" << height;
      }
}

TEST_F(Pictures, PngMayBeginWithAnEmptyChunkOfData) {
  const Image image = gradient(5, 3, 3);
  ASSERT_TRUE(save_image(image, path("a.png")));
  std::string bytes = read("a.png");
  const size_t type = bytes.find("IDAT");
  ASSERT_NE(type, std::string::npos);
  bytes.insert(type - 4, std::string("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12));
  write("empty.png", bytes);
  const auto loaded = load_image(path("empty.png"), 3);
  ASSERT_TRUE(loaded) << error_of(loaded);
  EXPECT_EQ(loaded->pixels, image.pixels);
}

TEST_F(Pictures, JpegIsNear) {
  const Image image = rendered_sample(120, 80);
  ASSERT_TRUE(save_image(image, path("a.jpg")));
  auto loaded = load_image(path("a.jpg"), 0);
  ASSERT_TRUE(loaded) << error_of(loaded);
  EXPECT_EQ(loaded->channels, 3u);
  EXPECT_EQ(loaded->name, "a.jpg");
  auto distance = difference(*loaded, image);
  ASSERT_TRUE(distance);
  EXPECT_GT(distance->differing_bytes, 0u);
  EXPECT_LT(distance->max_difference, 80u);
}

TEST_F(Pictures, ChannelsAreConverted) {
  Image colour{1, 1, 3, {255, 0, 0}, "", {}};
  ASSERT_TRUE(save_image(colour, path("c.png")));
  EXPECT_EQ(load_image(path("c.png"), 1)->pixels, with_channels(colour, 1).pixels);
  EXPECT_EQ(load_image(path("c.png"), 4)->pixels, (std::vector<uint8_t>{255, 0, 0, 255}));
  EXPECT_EQ(load_image(path("c.png"), 0)->channels, 3u);
  EXPECT_FALSE(load_image(path("c.png"), 2));
  EXPECT_FALSE(load_image(path("c.png"), 5));
  EXPECT_EQ(with_channels({1, 1, 1, {9}, "", {}}, 3).pixels, (std::vector<uint8_t>{9, 9, 9}));
  EXPECT_EQ(with_channels({1, 1, 4, {1, 2, 3, 4}, "", {}}, 3).pixels, (std::vector<uint8_t>{1, 2, 3}));
}

TEST_F(Pictures, CutFilesAreErrorsAtAnyLength) {
  const Image image = rendered_sample(64, 48);
  for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.tga"}) {
    ASSERT_TRUE(save_image(image, path(name)));
    const std::string whole = read(name);
    const std::string short_name = std::string("cut_") + name;
    for (size_t size = 0; size < whole.size(); size += 1 + size / 9) {
      write(short_name, whole.substr(0, size));
      // A TGA may end with a footer that no reader needs.
      if (std::string(name) == "a.tga" && size + 32 > whole.size()) continue;
      auto cut = load_image(path(short_name), 3);
      EXPECT_FALSE(cut) << name << " of " << size << " bytes of " << whole.size();
    }
    write(short_name, whole.substr(0, whole.size() / 2));
    EXPECT_NE(error_of(load_image(path(short_name), 3)).find("cut short"), std::string::npos)
        << name << error_of(load_image(path(short_name), 3));
  }
}

TEST_F(Pictures, BentFilesNeverCrash) {
  const Image image = rendered_sample(24, 16);
  for (const char* name : {"a.png", "a.jpg", "a.bmp", "a.tga"}) {
    ASSERT_TRUE(save_image(image, path(name)));
    const std::string whole = read(name);
    for (size_t at = 0; at < whole.size(); at += 1 + whole.size() / 400) {
      std::string bent = whole;
      bent[at] = static_cast<char>(~bent[at]);
      auto decoded = decode_image(std::as_bytes(std::span(bent)), name, 3);
      EXPECT_TRUE(!decoded || decoded->pixels.size() == size_t{3} * decoded->width * decoded->height);
    }
  }
}

TEST_F(Pictures, JpegTablesWithTooManyCodesAreRefused) {
  ASSERT_TRUE(save_image(rendered_sample(24, 16), path("a.jpg")));
  std::string whole = read("a.jpg");
  const size_t table = whole.find("\xff\xc4");
  ASSERT_NE(table, std::string::npos);
  whole[table + 6] = '\xff';
  whole[table + 7] = '\xff';
  write("bent.jpg", whole);
  EXPECT_NE(error_of(load_image(path("bent.jpg"), 3)).find("too many codes"), std::string::npos);
}

std::vector<uint8_t> pixels_of(std::string_view file, uint32_t channels = 0) {
  const auto image = decode_image(std::as_bytes(std::span(file)), "a", channels);
  EXPECT_TRUE(image) << image.error().message;
  return image ? image->pixels : std::vector<uint8_t>();
}

TEST_F(Pictures, PnmOfAllKinds) {
  using namespace std::string_view_literals;
  using Pixels = std::vector<uint8_t>;
  EXPECT_EQ(pixels_of("P1\n# a comment\n3 2\n101\n0 1 0\n"), (Pixels{0, 255, 0, 255, 0, 255}));
  EXPECT_EQ(pixels_of("P2 3 1 # maximum\n4 0 2 4"), (Pixels{0, 128, 255}));
  EXPECT_EQ(pixels_of("P3 2 1 15 15 0 7 1 2 3\n"), (Pixels{255, 0, 119, 17, 34, 51}));
  EXPECT_EQ(pixels_of("P4\n9 2\n\x80\x80\x00\x00"sv),
            (Pixels{0, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255}));
  EXPECT_EQ(pixels_of("P5\n4 1\n255\nabcd"), (Pixels{'a', 'b', 'c', 'd'}));
  EXPECT_EQ(pixels_of("P5\n2 1\n65535\n\xff\xff\x80\x00"sv), (Pixels{255, 128}));
  EXPECT_EQ(pixels_of("P5\n2 1\n1023\n\x03\xff\x00\x00"sv), (Pixels{255, 0}));
  EXPECT_EQ(pixels_of("P6\n1 1\n100\n\x64\x32\x00"sv), (Pixels{255, 128, 0}));
  EXPECT_EQ(pixels_of("P5\n1 1\n255\nq", 3), (Pixels{'q', 'q', 'q'}));
  for (const std::string_view cut : {"P5\n4 1\n255\nabc"sv, "P3 1 1 255 1 2"sv, "P1 2 1 1"sv,
                                     "P4\n9 2\n\xff"sv, "P5\n1 1\n65535\n\xff"sv, "P6"sv, "P2 1 1"sv})
    EXPECT_NE(error_of(decode_image(std::as_bytes(std::span(cut)), "a", 0)).find("cut short"),
              std::string::npos)
        << cut;
  const std::string_view wrong = "P2 1 1 70000 1";
  EXPECT_NE(error_of(decode_image(std::as_bytes(std::span(wrong)), "a", 0)).find("maximum"),
            std::string::npos);
}

TEST_F(Pictures, TheOrientationOfAJpegIsApplied) {
  const auto lying =
      load_image(test_files::source_dir().string() + "/tests/data/pictures/lying_camera.jpg", 3);
  ASSERT_TRUE(lying) << lying.error().message;
  EXPECT_EQ(lying->width, 48u);
  EXPECT_EQ(lying->height, 32u);
  EXPECT_GT(lying->pixels[0], 200);
  EXPECT_LT(lying->pixels[1], 60);
  // Rows are stored as EXIF's table of orientations says: each is "abc" over "def" upright.
  const char* const stored[] = {"abcdef", "cbafed", "fedcba", "defabc",
                                "adbecf", "cfbead", "fcebda", "daebfc"};
  for (uint32_t orientation = 1; orientation <= 8; ++orientation) {
    const bool on_side = orientation > 4;
    const std::string text = stored[orientation - 1];
    Image image{on_side ? 2u : 3u, on_side ? 3u : 2u, 1, {text.begin(), text.end()}, "", {}};
    const Image turned = upright(image, orientation);
    EXPECT_EQ(std::string(turned.pixels.begin(), turned.pixels.end()), "abcdef") << orientation;
    EXPECT_EQ(turned.width, 3u);
  }
  std::string bent = read(test_files::source_dir().string() + "/tests/data/pictures/lying_camera.jpg");
  for (size_t size = 0; size < 64; ++size)
    EXPECT_LE(orientation_of(std::as_bytes(std::span(bent).first(size))), 8u);
}

TEST_F(Pictures, BmpMayBeginAtTheTop) {
  ASSERT_TRUE(save_image(gradient(4, 2, 3), path("a.bmp")));
  std::string bmp = read("a.bmp");
  const Image below = *load_image(path("a.bmp"), 3);
  bmp.replace(22, 4, std::string("\xfe\xff\xff\xff", 4));
  write("top.bmp", bmp);
  const auto top = load_image(path("top.bmp"), 3);
  ASSERT_TRUE(top) << top.error().message;
  EXPECT_TRUE(std::equal(top->pixels.begin(), top->pixels.begin() + 12, below.pixels.begin() + 12));
  EXPECT_TRUE(std::equal(top->pixels.begin() + 12, top->pixels.end(), below.pixels.begin()));
}

TEST_F(Pictures, OtherFormatsAreNamedByTheirBytes) {
  using namespace std::string_view_literals;
  for (const auto& [bytes, format] :
       {std::pair{"RIFF\x10\0\0\0WEBPVP8 "sv, "WebP"},
        std::pair{"\0\0\0\x1c"
                  "ftypavif\0\0\0\0"sv,
                  "AVIF"},
        std::pair{"\0\0\0\x1c"
                  "ftypmif1\0\0\0\0mif1avif"sv,
                  "AVIF"},
        std::pair{"\0\0\0\x18"
                  "ftypheic\0\0\0\0"sv,
                  "HEIC"},
        std::pair{"II*\0\x08\0\0\0"sv, "TIFF"}, std::pair{"\0\0\0\x0cJXL \r\n"sv, "JPEG XL"}}) {
    const std::string said = error_of(decode_image(std::as_bytes(std::span(bytes)), "photo.jpg", 3));
    EXPECT_NE(said.find(fmt::format("photo.jpg is a {} picture", format)), std::string::npos) << said;
  }
  for (const std::string_view short_one : {"RIFF"sv, "\0\0\0"sv, "\0\0\0\0ftyp"sv})
    EXPECT_NE(error_of(decode_image(std::as_bytes(std::span(short_one)), "a", 3)).find("no picture"),
              std::string::npos);
}

TEST_F(Pictures, HugeHeadersAreRefusedWithoutDecoding) {
  ASSERT_TRUE(save_image(gradient(2, 2, 3), path("a.png")));
  std::string huge = read("a.png");
  for (size_t at : {16u, 20u}) huge.replace(at, 4, std::string("\x00\x00\x75\x30", 4));  // 30,000
  write("huge.png", huge);
  EXPECT_NE(error_of(load_image(path("huge.png"), 3)).find("30000×30000"), std::string::npos)
      << error_of(load_image(path("huge.png"), 3));

  write("huge.ppm", "P6\n30000 30000\n255\n");
  EXPECT_NE(error_of(load_image(path("huge.ppm"), 3)).find("30000×30000"), std::string::npos)
      << error_of(load_image(path("huge.ppm"), 3));

  ASSERT_TRUE(save_image(gradient(2, 2, 3), path("a.bmp")));
  std::string bmp = read("a.bmp");
  for (size_t at : {18u, 22u}) bmp.replace(at, 4, std::string("\x30\x75\x00\x00", 4));
  write("huge.bmp", bmp);
  EXPECT_NE(error_of(load_image(path("huge.bmp"), 3)).find("30000×30000"), std::string::npos)
      << error_of(load_image(path("huge.bmp"), 3));

  std::string none = read("a.png");
  none.replace(16, 4, std::string(4, '\0'));
  write("none.png", none);
  EXPECT_FALSE(load_image(path("none.png"), 3));
}

TEST_F(Pictures, WhatIsNoPictureSaysSo) {
  write("text.png", "This is a text that is longer than any header of a picture format needs to be.");
  EXPECT_NE(error_of(load_image(path("text.png"), 3)).find("no picture"), std::string::npos);
  write("empty.png", "");
  EXPECT_NE(error_of(load_image(path("empty.png"), 3)).find("empty"), std::string::npos);
  write("noise.bin", std::string(1000, '\x02'));
  EXPECT_FALSE(load_image(path("noise.bin"), 3));
  EXPECT_NE(error_of(load_image(path("missing.png"), 3)).find("no such file"), std::string::npos);
  EXPECT_NE(error_of(load_image(m_folder.string(), 3)).find("folder"), std::string::npos);
}

TEST_F(Pictures, WhatCannotBeSavedSaysSoAndLosesNothing) {
  const Image image = gradient(3, 3, 3);
  ASSERT_TRUE(save_image(image, path("a.png")));
  const std::string before = read("a.png");
  EXPECT_FALSE(save_image(Image{}, path("a.png")));
  EXPECT_FALSE(save_image(Image{3, 3, 3, {1}, "", {}}, path("a.png")));
  EXPECT_EQ(read("a.png"), before);
  for (const char* name : {"a", "a.gif", "no/such/folder/a.png", "a.png.", ""})
    EXPECT_FALSE(save_image(image, *name ? path(name) : "")) << name;
  EXPECT_FALSE(save_image(gradient(70000, 1, 1), path("a.jpg")));
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(m_folder)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1u);
}

TEST(ImageDifference, CountsBytes) {
  Image a = gradient(4, 4, 3), b = a;
  b.pixels[5] = static_cast<uint8_t>(a.pixels[5] ^ 0x10);
  auto result = difference(a, b);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->differing_bytes, 1u);
  EXPECT_EQ(result->max_difference, 16u);
  EXPECT_EQ(result->difference.pixels[5], 16);
  EXPECT_EQ(difference(a, a)->max_difference, 0u);
  EXPECT_FALSE(difference(a, gradient(4, 4, 1)));
  EXPECT_FALSE(difference(a, gradient(4, 5, 3)));
}

TEST(RenderedSample, IsTheSamePictureEveryTime) {
  const Image image = rendered_sample(96, 64);
  EXPECT_EQ(image.pixels, rendered_sample(96, 64).pixels);
  // FNV-1a of all bytes: the same on every machine.
  uint64_t hash = 14695981039346656037u;
  for (uint8_t byte : image.pixels) hash = (hash ^ byte) * 1099511628211u;
  EXPECT_EQ(hash, 1442191115062336846u);
  // A picture, not a plain area: dark, middle and light, and every colour channel on its own.
  uint64_t dark = 0, light = 0, coloured = 0;
  for (size_t i = 0; i < image.pixels.size(); i += 3) {
    dark += image.pixels[i] < 100;
    light += image.pixels[i] > 200;
    coloured += std::abs(image.pixels[i] - image.pixels[i + 2]) > 80;
  }
  for (uint64_t count : {dark, light, coloured}) EXPECT_GT(count, 500u);
  EXPECT_EQ(rendered_sample(1, 1).pixels.size(), 3u);
  EXPECT_TRUE(rendered_sample(0, 5).pixels.empty());
}

TEST_F(Pictures, SamplePhotosComeWithTheirCredits) {
  const ScopedEnvironment folder("WARPLENS_PHOTOS_DIR", m_folder.c_str());
  EXPECT_TRUE(sample_photos().empty());
  write("credits.json", R"({"photos": [
    {"file": "astronaut.png", "title": "Astronaut", "author": "NASA", "licence": "public domain"},
    {"file": "hubble_deep_field.png", "title": "Deep field", "author": "NASA", "licence": "public domain"},
    {"file": "lost.png", "title": "Not there", "author": "Nobody", "licence": "CC0"}]})");
  ASSERT_TRUE(save_image(gradient(5, 4, 3), path("astronaut.png")));
  ASSERT_TRUE(save_image(gradient(6, 4, 3), path("hubble_deep_field.png")));
  ASSERT_EQ(sample_photos().size(), 2u);
  EXPECT_EQ(sample_photos()[0].name, "astronaut");

  EXPECT_EQ(open_picture("", 3)->width, 5u);
  EXPECT_EQ(open_picture("Astronaut", 1)->channels, 1u);
  EXPECT_EQ(open_picture("hubble", 3)->width, 6u);
  EXPECT_EQ(open_picture("hubble", 3)->credit, "Deep field, NASA (public domain)");
  EXPECT_EQ(open_picture(path("astronaut.png"), 3)->width, 5u);
  EXPECT_NE(error_of(open_picture("astronot", 3)).find("hubble_deep_field"), std::string::npos);
  EXPECT_NE(error_of(open_picture("no/such.png", 3)).find("no such file"), std::string::npos);

  write("credits.json", "{ broken");
  EXPECT_TRUE(sample_photos().empty());
  write("credits.json", R"({"photos": 5})");
  EXPECT_TRUE(sample_photos().empty());
}

// As scikit-image's own folder, which has no credits.
TEST_F(Pictures, KnownPhotographsNeedNoCreditsBesideThem) {
  const ScopedEnvironment folder("WARPLENS_PHOTOS_DIR", path("").c_str());
  ASSERT_TRUE(save_image(gradient(5, 4, 3), path("astronaut.png")));
  ASSERT_TRUE(save_image(gradient(5, 4, 3), path("other.png")));
  const std::vector<SamplePhoto> photos = sample_photos();
  ASSERT_EQ(photos.size(), 1u);
  EXPECT_EQ(photos[0].credit, "Astronaut Eileen Collins, NASA (public domain)");
}

TEST_F(Pictures, SamplePhotosAreFoundInTheUsersCache) {
  if (config::photos.told) GTEST_SKIP() << "this build was told another place";
  const ScopedEnvironment chosen("WARPLENS_PHOTOS_DIR", nullptr), cache("XDG_CACHE_HOME", path("").c_str());
  const std::filesystem::path photos = m_folder / "warplens" / config::photos_folder;
  std::filesystem::create_directories(photos);
  std::ofstream(photos / "credits.json") << R"({"photos": [{"file": "mine.png", "title": "Mine"}]})";
  ASSERT_TRUE(save_image(gradient(5, 4, 3), (photos / "mine.png").string()));
  ASSERT_EQ(sample_photos().size(), 1u);
  EXPECT_EQ(sample_photos()[0].name, "mine");
}

TEST_F(Pictures, WithoutPhotosTheRenderedSampleServes) {
  const ScopedEnvironment folder("WARPLENS_PHOTOS_DIR", path("nowhere").c_str());
  auto image = open_picture("", 3);
  ASSERT_TRUE(image) << error_of(image);
  EXPECT_EQ(image->pixels, rendered_sample(768, 512).pixels);
  EXPECT_NE(error_of(open_picture("astronaut", 3)).find("warplens fetch"), std::string::npos);
  EXPECT_EQ(open_picture("rendered", 1)->channels, 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens
