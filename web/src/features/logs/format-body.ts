/** Indents JSON; other text, such as truncated JSON, is returned unchanged. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
