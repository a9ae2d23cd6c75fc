import type { DocumentPart } from '../canonical/content.ts';
import { UntranslatableError } from './untranslatable.ts';

/** A document's text, `null` for one that is not text, or not here. */
export function readDocumentText({ source }: DocumentPart): string | null {
  if (source.kind === 'text') return source.text;
  const isText = source.kind === 'data' && /^text\/|[/+](json|xml|yaml)$/.test(source.mediaType);
  return isText ? Buffer.from(source.base64, 'base64').toString() : null;
}

/** The text of a document for a provider that takes no others. */
export function demandDocumentText(document: DocumentPart): string {
  const text = readDocumentText(document);
  if (text !== null) return text;
  throw new UntranslatableError(
    'The provider of this model takes documents as text only; send the text of this one.',
    'messages',
  );
}

/** A document as a part of what is said. */
export function inlineDocument(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}\n\n${text}`;
}
