import { expect, it } from 'vitest';
import type { DocumentPart } from '../canonical/content.ts';
import { demandDocumentText, inlineDocument, readDocumentText } from './media-source.ts';

const data = (mediaType: string, text = 'Grüße'): DocumentPart => ({
  type: 'document',
  source: { kind: 'data', mediaType, base64: Buffer.from(text).toString('base64') },
});

it.each(['text/plain', 'text/csv', 'application/json', 'application/ld+json', 'application/xml'])(
  'readDocumentText and demandDocumentText read %s as UTF-8 text',
  (mediaType) => {
    expect(readDocumentText(data(mediaType))).toBe('Grüße');
    expect(demandDocumentText(data(mediaType))).toBe('Grüße');
  },
);

it.each<DocumentPart>([
  data('application/pdf'),
  { type: 'document', source: { kind: 'url', url: 'https://example.com/a.txt' } },
  { type: 'document', source: { kind: 'file', fileId: 'file_1' } },
])(
  'demandDocumentText rejects a document with the source $source and suggests sending its text',
  (document) => {
    expect(readDocumentText(document)).toBeNull();
    expect(() => demandDocumentText(document)).toThrow(/send the text/);
  },
);

it('inlineDocument puts the name of a document before its text', () => {
  expect(inlineDocument('a.txt', 'one')).toBe('a.txt\n\none');
  expect(inlineDocument(undefined, 'one')).toBe('one');
});
