const signatures: [mediaType: string, pattern: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['application/pdf', /^%PDF/],
];

/** Returns the media type according to the first bytes of a file, or null if they are unknown. */
export function sniffMediaType(base64: string): string | null {
  const start = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1');
  return signatures.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
