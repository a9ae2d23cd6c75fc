/** The nonce of this page load, which the server writes into index.html; style tags made at run time carry it. */
export function readCspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
