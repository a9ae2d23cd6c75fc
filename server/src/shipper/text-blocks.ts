import type pg from 'pg';
import { arrayOf, bitVarying, column, copyRows, integer, uuid } from '#db/binary-copy.ts';
import { dayOfId } from '#db/log-partitions/day-partition.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** A small block reduces the texts that a search must read, but each block costs as much as a row. */
const rowsMax = 32;
const lettersMax = 64 * 1024;

interface TextBlock {
  readonly tenantId: number;
  readonly rowIds: readonly string[];
  readonly signature: Uint8Array;
}

export async function insertTextBlocks(
  client: pg.ClientBase,
  records: readonly RequestRecord[],
): Promise<void> {
  const blocks = makeTextBlocks(records);
  if (blocks.length > 0) await copyRows(client, 'request_log_text_blocks', blockColumns, blocks);
}

export function makeTextBlocks(records: readonly RequestRecord[]): TextBlock[] {
  const withTexts = records.filter(
    ({ prompt, response, tenantId }) => tenantId !== null && (prompt || response),
  );
  const groups = Map.groupBy(withTexts, ({ id, tenantId }) => `${tenantId} ${dayOfId(id)}`);
  return [...groups.values()].flatMap((group) =>
    divide(group.toSorted((one, other) => (one.id < other.id ? -1 : 1))).map(toBlock),
  );
}

function divide(records: readonly RequestRecord[]): RequestRecord[][] {
  const parts: RequestRecord[][] = [];
  let letters = lettersMax;
  for (const record of records) {
    const part = parts.at(-1);
    const added = (record.prompt?.length ?? 0) + (record.response?.length ?? 0);
    letters += added;
    if (part && part.length < rowsMax && letters <= lettersMax) part.push(record);
    else {
      parts.push([record]);
      letters = added;
    }
  }
  return parts;
}

function toBlock(records: readonly RequestRecord[]): TextBlock {
  const texts = records.flatMap(({ prompt, response }) => [prompt ?? '', response ?? '']);
  return {
    tenantId: records[0]?.tenantId ?? 0,
    rowIds: records.map(({ id }) => id),
    signature: makeSignature(listNgrams(texts)),
  };
}

/**
 * Signature lengths in bits, also used by `find_text_blocks`. Two signatures of the largest length fit on a database
 * page.
 */
const signatureBits = [3_392, 6_784, 13_568, 27_136];
/**
 * Bits per trigram. With fewer bits, too many of them are set, and a search reads blocks that do not contain the
 * words.
 */
const bitsPerNgram = 4;

/** Works like the database function `text_signature`. */
export function makeSignature(ngrams: readonly number[]): Uint8Array {
  const bits =
    signatureBits.find((length) => length >= bitsPerNgram * ngrams.length) ?? Math.max(...signatureBits);
  const signature = new Uint8Array(bits / 8);
  for (const ngram of ngrams) {
    const [byte, bit] = [(ngram % bits) >> 3, ngram & 7];
    signature[byte] = (signature[byte] ?? 0) | (0x80 >> bit);
  }
  return signature;
}

const ngramCount = 2 ** 18;
const isSeen = new Uint8Array(ngramCount);

/** Works like the database function `text_ngrams`. */
export function listNgrams(texts: readonly string[]): number[] {
  const found: number[] = [];
  for (const text of texts) addNgrams(text.toLowerCase(), found);
  for (const ngram of found) isSeen[ngram] = 0;
  return found;
}

function addNgrams(text: string, found: number[]): void {
  // 0 represents a code unit that is not a letter.
  let [first, second] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const third = isLetter(code) ? code : 0;
    if (first !== 0 && second !== 0 && third !== 0) {
      const ngram = ((first * 31 + second) * 31 + third) % ngramCount;
      if (isSeen[ngram] === 0) {
        isSeen[ngram] = 1;
        found.push(ngram);
      }
    }
    first = second;
    second = third;
  }
}

/** True for lowercase ASCII letters, digits and non-ASCII code units other than surrogates. */
function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code < 0xd800 || code > 0xdfff;
}

const uuidArrayOid = 2951;

const blockColumns = [
  column('id', uuid, ({ rowIds }: TextBlock) => rowIds[0]),
  column('tenant_id', integer, ({ tenantId }: TextBlock) => tenantId),
  column('last_id', uuid, ({ rowIds }: TextBlock) => rowIds.at(-1)),
  column('row_ids', arrayOf(uuid, uuidArrayOid), ({ rowIds }: TextBlock) => rowIds),
  column('signature', bitVarying, ({ signature }: TextBlock) => signature),
];
