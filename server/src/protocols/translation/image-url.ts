import type { ImagePart } from '../canonical/content.ts';
import { writeDataUrl } from '../data-url.ts';
import { foreignFile } from './untranslatable.ts';

/** Encodes an image in OpenAI's format, which many protocols have adopted. */
export function encodeImageUrl({ source, detail }: ImagePart): object {
  if (source.kind === 'file') throw foreignFile('image');
  const url = source.kind === 'url' ? source.url : writeDataUrl(source);
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}
