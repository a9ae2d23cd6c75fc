import type { DocumentPart, ToolResultPart, UserPart } from '../canonical/content.ts';
import { demandDocumentText, inlineDocument } from '../translation/document-text.ts';
import { encodeImageUrl } from '../translation/image-url.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';

export type SaidPart = Exclude<UserPart, ToolResultPart>;

/** Encodes a single text as a string, because some models do not accept a list. */
export function encodeContent(parts: readonly SaidPart[]): string | object[] {
  const [first] = parts;
  if (!first) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : parts.map(encodePart);
}

export function encodePart(part: SaidPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return encodeImageUrl(part);
    case 'document':
      return { type: 'text', text: inlineDocument(part.name, demandDocumentText(part)) };
    case 'audio':
      throw new UntranslatableError('The provider of this model takes no audio.', 'messages');
  }
}

/** Encodes a document in the form that Cohere models are trained to read and cite. */
export function encodeDocument(document: DocumentPart): { readonly data: object } {
  const { name } = document;
  return { data: { ...(name !== undefined && { title: name }), text: demandDocumentText(document) } };
}
