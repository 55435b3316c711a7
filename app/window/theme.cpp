#include "app/window/theme.h"

#include <cmath>

namespace warplens {
namespace {

void set_sizes(ImGuiStyle& style) {
  style.WindowPadding = {14, 12};
  style.FramePadding = {10, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {8, 4};
  style.CellPadding = {8, 4};
  style.IndentSpacing = 16;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 14;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 3;   // of the tab in front
  style.TabMinWidthShrink = 160;  // wider than any name: the tabs scroll, since a cut name cannot be read
  style.WindowRounding = 6;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 7;
  style.TabRounding = 6;
  style.DockingSeparatorSize = 6;
  style.SeparatorTextBorderSize = 1;
  style.WindowMinSize = {40, 30};
  style.DisabledAlpha = 0.45f;
  style.WindowMenuButtonPosition = ImGuiDir_None;
}

void set_surfaces(ImGuiStyle& style, const Palette& p) {
  ImVec4* c = style.Colors;
  c[ImGuiCol_WindowBg] = colour_vec(p.window);
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_PopupBg] = colour_vec(p.raised);
  c[ImGuiCol_MenuBarBg] = colour_vec(p.panel);
  c[ImGuiCol_Border] = colour_vec(p.line);
  c[ImGuiCol_BorderShadow] = {0, 0, 0, 0};
  c[ImGuiCol_TitleBg] = colour_vec(p.window);
  c[ImGuiCol_TitleBgActive] = colour_vec(p.window);
  c[ImGuiCol_TitleBgCollapsed] = colour_vec(p.window);
  c[ImGuiCol_DockingEmptyBg] = colour_vec(p.window);
  c[ImGuiCol_DockingPreview] = colour_vec(p.accent, 0.35f);
  c[ImGuiCol_Separator] = colour_vec(p.line);
  c[ImGuiCol_SeparatorHovered] = colour_vec(p.accent, 0.6f);
  c[ImGuiCol_SeparatorActive] = colour_vec(p.accent);
  c[ImGuiCol_ModalWindowDimBg] = colour_vec(0x000000, 0.45f);
  c[ImGuiCol_TableHeaderBg] = {0, 0, 0, 0};
  c[ImGuiCol_TableBorderLight] = colour_vec(p.line);
  c[ImGuiCol_TableBorderStrong] = colour_vec(p.line);
  c[ImGuiCol_TableRowBg] = {0, 0, 0, 0};
  c[ImGuiCol_TableRowBgAlt] = colour_vec(p.raised, 0.5f);
}

void set_controls(ImGuiStyle& style, const Palette& p) {
  ImVec4* c = style.Colors;
  const uint32_t hovered = mix(p.raised, p.text, 0.10), pressed = mix(p.raised, p.text, 0.18);
  c[ImGuiCol_Text] = colour_vec(p.text);
  c[ImGuiCol_TextDisabled] = colour_vec(p.quiet);
  c[ImGuiCol_TextSelectedBg] = colour_vec(p.accent, 0.3f);
  c[ImGuiCol_TextLink] = colour_vec(p.accent);
  c[ImGuiCol_InputTextCursor] = colour_vec(p.text);
  c[ImGuiCol_FrameBg] = colour_vec(p.raised);
  c[ImGuiCol_FrameBgHovered] = colour_vec(hovered);
  c[ImGuiCol_FrameBgActive] = colour_vec(pressed);
  c[ImGuiCol_Button] = colour_vec(p.raised);
  c[ImGuiCol_ButtonHovered] = colour_vec(hovered);
  c[ImGuiCol_ButtonActive] = colour_vec(pressed);
  c[ImGuiCol_Header] = colour_vec(mix(p.panel, p.accent, 0.18));
  c[ImGuiCol_HeaderHovered] = colour_vec(mix(p.raised, p.accent, 0.18));
  c[ImGuiCol_HeaderActive] = colour_vec(mix(p.raised, p.accent, 0.28));
  c[ImGuiCol_CheckMark] = colour_vec(p.accent);
  c[ImGuiCol_SliderGrab] = colour_vec(p.accent);
  c[ImGuiCol_SliderGrabActive] = colour_vec(p.text);
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = colour_vec(mix(p.line, p.quiet, 0.25));
  c[ImGuiCol_ScrollbarGrabHovered] = colour_vec(mix(p.line, p.quiet, 0.5));
  c[ImGuiCol_ScrollbarGrabActive] = colour_vec(p.quiet);
  c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  c[ImGuiCol_ResizeGripHovered] = colour_vec(p.accent, 0.4f);
  c[ImGuiCol_ResizeGripActive] = colour_vec(p.accent, 0.7f);
  c[ImGuiCol_Tab] = colour_vec(p.window);
  c[ImGuiCol_TabHovered] = colour_vec(p.raised);
  c[ImGuiCol_TabSelected] = colour_vec(p.panel);
  c[ImGuiCol_TabSelectedOverline] = colour_vec(p.accent);
  c[ImGuiCol_TabDimmed] = colour_vec(p.window);
  c[ImGuiCol_TabDimmedSelected] = colour_vec(p.panel);
  c[ImGuiCol_TabDimmedSelectedOverline] = colour_vec(p.accent);
  c[ImGuiCol_PlotLines] = colour_vec(p.accent);
  c[ImGuiCol_PlotHistogram] = colour_vec(p.accent);
  c[ImGuiCol_DragDropTarget] = colour_vec(p.accent);
  c[ImGuiCol_NavCursor] = colour_vec(p.accent);
}

}  // namespace

void apply_theme(const Look& look, float text_scale) {
  ImGuiStyle& current = ImGui::GetStyle();
  const float monitor = current.FontScaleDpi > 0 ? current.FontScaleDpi : 1.0f;
  ImGuiStyle style;
  set_sizes(style);
  set_surfaces(style, look.palette);
  set_controls(style, look.palette);
  style.ScaleAllSizes(text_scale * monitor);
  // Paddings grow more slowly than the text, since large text needs the room.
  if (text_scale > 1.5f) {
    const float less = 1.5f / text_scale;
    // Whole pixels: parts of one would make windows scroll.
    for (ImVec2* gap : {&style.WindowPadding, &style.FramePadding, &style.ItemSpacing})
      *gap = {std::floor(gap->x * less), std::floor(gap->y * less)};
    style.DockingSeparatorSize = 6 * monitor;
  }
  style.FontSizeBase = body_size;
  style.FontScaleMain = text_scale;
  style.FontScaleDpi = monitor;
  style.HoverDelayNormal = look.reduce_motion ? 0.0f : 0.25f;
  current = style;
}

}  // namespace warplens
