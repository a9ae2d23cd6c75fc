/** Posts JSON without a client library, so that tests receive the raw bytes. */
export function postJson(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
}

export function readEvents(text: string): { event: string | null; data: string }[] {
  return text
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .map((event) => ({
      event: /^event: (.*)$/m.exec(event)?.[1] ?? null,
      data: /^data: (.*)$/m.exec(event)?.[1] ?? '',
    }));
}
