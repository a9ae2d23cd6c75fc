/**
 * The root of an OpenAI-like API, as instances store it: with its version, without a trailing slash or the path
 * of an operation. A bare origin takes the path of the vendor's own root, `/v1` where the vendor has none.
 */
export function normaliseEndpoint(url: URL, defaultEndpoint: string | null): string {
  const path = trimSlashes(trimSlashes(url.pathname).replace(/\/chat\/completions$/, ''));
  const root = path === '' ? trimSlashes(new URL(defaultEndpoint ?? 'https://vendor/v1').pathname) : path;
  return url.origin + root;
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
