// The document of the panel that shows a preview.

import type { Address } from './address';

/**
 * The document: one frame with the preview's page. The policy lets it load nothing else, and run no script of
 * its own.
 */
export function panelDocument(address: Address, nonce: string): string {
  const policy = `default-src 'none'; frame-src ${address.origin}; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Preview</title>
<style nonce="${nonce}">
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
</style>
</head>
<body>
<iframe src="${escaped(address.page)}" title="Preview" allow="clipboard-write; fullscreen"></iframe>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
