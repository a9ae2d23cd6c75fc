import type { AudioPart } from '../canonical/content.ts';
import { toStandardBase64 } from '../data-url.ts';

/** Decodes audio as OpenAI's callers send it; its formats map to media types. */
export function decodeInputAudio({
  data,
  format,
}: {
  readonly data: string;
  readonly format: string;
}): AudioPart {
  const kind = format.toLowerCase();
  const mediaType = `audio/${kind === 'mp3' ? 'mpeg' : kind}`;
  return { type: 'audio', source: { kind: 'data', mediaType, base64: toStandardBase64(data) } };
}
