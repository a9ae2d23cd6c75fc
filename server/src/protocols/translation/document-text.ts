import type { DocumentPart } from '../canonical/content.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Returns a document's text; `null` if it is not text, or not part of the request. */
export function readDocumentText({ source }: DocumentPart): string | null {
  if (source.kind === 'text') return source.text;
  const isText = source.kind === 'data' && /^text\/|[/+](json|xml|yaml)$/.test(source.mediaType);
  return isText ? Buffer.from(source.base64, 'base64').toString() : null;
}

/** Returns a document's text for a provider that accepts only text documents. */
export function demandDocumentText(document: DocumentPart): string {
  const text = readDocumentText(document);
  if (text !== null) return text;
  throw new UntranslatableError(
    'The provider of this model takes documents as text only; send the text of this one.',
    'messages',
  );
}

/** Formats a document as message text. */
export function inlineDocument(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}\n\n${text}`;
}
