import type { ImagePart } from '../canonical/content.ts';
import { writeDataUrl } from '../data-url.ts';
import { foreignFile } from './untranslatable.ts';

/** A picture as all take it who took over OpenAI's form of one. */
export function encodeImageUrl({ source, detail }: ImagePart): object {
  if (source.kind === 'file') throw foreignFile('image');
  const url = source.kind === 'url' ? source.url : writeDataUrl(source);
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}
