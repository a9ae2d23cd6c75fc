import type pg from 'pg';
import { arrayOf, column, copyRows, integer, uuid } from '#db/binary-copy.ts';
import { dayOfId } from '#db/log-partitions/day-partition.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** A search reads the texts of a whole block, so it must stay small; but each block costs as much as a row. */
const rowsMax = 32;
const lettersMax = 64 * 1024;

/** Rows of one tenant and day that are searched together; `ngrams` are the trigrams of their texts. */
interface TextBlock {
  readonly tenantId: number;
  readonly rowIds: readonly string[];
  readonly ngrams: readonly number[];
}

/** Indexes the texts of newly written rows for search. */
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
    ngrams: listNgrams(texts),
  };
}

/** Each trigram is hashed to one of this many numbers. */
const ngramCount = 2 ** 18;
const isSeen = new Uint8Array(ngramCount);

/** Returns each trigram number once, like the database function `text_ngrams`. */
export function listNgrams(texts: readonly string[]): number[] {
  const found: number[] = [];
  for (const text of texts) addNgrams(text.toLowerCase(), found);
  for (const ngram of found) isSeen[ngram] = 0;
  return found;
}

function addNgrams(text: string, found: number[]): void {
  // 0 means no letter.
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

/** Whether a code unit is an ASCII letter or digit, or any unit beyond ASCII except surrogates. */
function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code < 0xd800 || code > 0xdfff;
}

const [uuidArrayOid, integerArrayOid] = [2951, 1007];

const blockColumns = [
  column('id', uuid, ({ rowIds }: TextBlock) => rowIds[0]),
  column('tenant_id', integer, ({ tenantId }: TextBlock) => tenantId),
  column('last_id', uuid, ({ rowIds }: TextBlock) => rowIds.at(-1)),
  column('row_ids', arrayOf(uuid, uuidArrayOid), ({ rowIds }: TextBlock) => rowIds),
  column('ngrams', arrayOf(integer, integerArrayOid), ({ ngrams }: TextBlock) => ngrams),
];
