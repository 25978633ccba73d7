// Whether the processor draws, and no graphics card.
export function drawnInSoftware() {
  const context = document.createElement('canvas').getContext('webgl2');
  const about = context?.getExtension('WEBGL_debug_renderer_info');
  const name = about ? context.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
