import type { MediaSource } from '../canonical/content.ts';
import { readDataUrl } from '../data-url.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Reads a data URL or another URL that a caller wrote at `path`. @throws UntranslatableError for anything else. */
export function readMediaSource(url: string, path: string): MediaSource {
  const data = readDataUrl(url);
  if (data) return { kind: 'data', ...data };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return { kind: 'url', url };
  throw new UntranslatableError('Neither a data URL nor the address of a file.', path);
}
