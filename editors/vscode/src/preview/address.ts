// Addresses of previews.

/** The address of a preview: the page, and the origin that serves it. */
export interface Address {
  readonly page: string;
  readonly origin: string;
  readonly port: number;
}

/** The names of this machine that the server of a preview accepts. */
const HERE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Reads the address of a preview: `http`, this machine, a port, and a path with the token. Everything else is
 * `undefined`, and does not reach the panel.
 */
export function previewAddress(text: string): Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHere =
    url.protocol === 'http:' && HERE.has(url.hostname) && url.username === '' && url.password === '';
  if (!isHere || url.port === '' || !/^\/[\w.~-]{16,128}\//.test(url.pathname)) return undefined;
  return { page: url.href, origin: url.origin, port: Number(url.port) };
}
