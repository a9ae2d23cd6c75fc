import { randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';

/** Thrown when the file cannot be restored. `message` contains the reason and the fix. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/** Signature that identifies a backup file. Not compressed. */
const magic = 'sluice backup 1\n';
const headBytes = 5;
const frameMaxBytes = 2 ** 30;

/** Frame: one letter, the payload length (32 bits, big-endian) and the payload. */
export type Frame =
  | { readonly kind: 'header' | 'table' | 'end' | 'trailer'; readonly json: unknown }
  | DataFrame;

interface DataFrame {
  readonly kind: 'data';
  readonly bytes: Buffer;
}

const letters = { header: 'H', table: 'T', data: 'D', end: 'E', trailer: 'Z' } as const;
type Kind = keyof typeof letters;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as Kind]));

export const backupHeader = z.object({
  version: z.string(),
  created_at: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Check value of the secret that sealed the contents. */
  secret_check: z.base64(),
  /** Only included on request. */
  secret: z.string().optional(),
  /** Days of the request log that have rows, as days since 1970-01-01. */
  log_days: z.array(z.int()),
});
export type BackupHeader = z.infer<typeof backupHeader>;

export const backupTable = z.object({ name: z.string(), columns: z.array(z.string()) });

export const tableTotal = z.object({ name: z.string(), rows: z.int(), sha256: z.string() });
export type TableTotal = z.infer<typeof tableTotal>;

export const backupTrailer = z.object({
  tables: z.array(tableTotal),
  sequences: z.array(z.object({ name: z.string(), next: z.string() })),
});

export interface BackupFileOptions {
  readonly path: string;
  readonly canReplace: boolean;
}

/**
 * Writes a draft that gets the final name once it is complete. The file is readable only by its owner.
 * @throws BackupFileError if the file exists and may not be replaced, or if its folder does not exist
 */
export async function writeBackupFile(
  { path, canReplace }: BackupFileOptions,
  frames: AsyncIterable<Frame>,
): Promise<void> {
  if (!canReplace && (await exists(path))) throw alreadyThere(path);
  await requireFolder(path);
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(draft, magic, { mode: 0o600, flag: 'wx' });
    const file = createWriteStream(draft, { flags: 'a', flush: true });
    await pipeline(encode(frames), createZstdCompress(), file);
    if (canReplace) await rename(draft, path);
    else await publish(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Links the draft to its final name. The link fails if another file with this name was created in the meantime. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EEXIST') throw alreadyThere(path);
    // Some network file systems do not support hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await copyFile(draft, path, constants.COPYFILE_EXCL);
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function requireFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new BackupFileError(
      `The folder ${folder} does not exist. Nothing was written. Create it, or choose another folder.`,
    );
}

const alreadyThere = (path: string) =>
  new BackupFileError(
    `${path} already exists. Nothing was written. Choose another name, or replace it with --force.`,
  );

async function* encode(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const bytes = frame.kind === 'data' ? frame.bytes : Buffer.from(JSON.stringify(frame.json));
    const head = Buffer.alloc(headBytes);
    head.write(letters[frame.kind], 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    yield head;
    yield bytes;
  }
}

/**
 * Yields the frames of a backup file.
 * @throws BackupFileError if the file is not a backup, is damaged or is incomplete
 */
export async function* readBackupFile(path: string): AsyncGenerator<Frame> {
  await requireMagic(path);
  const source = createReadStream(path, { start: magic.length });
  const plain = source.pipe(createZstdDecompress());
  source.on('error', (error) => plain.destroy(error));
  let waiting = Buffer.alloc(0);
  let last: Kind | undefined;
  try {
    for await (const chunk of plain) {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      for (let frame = takeFrame(waiting); frame; frame = takeFrame(waiting)) {
        waiting = waiting.subarray(frame.end);
        last = frame.kind;
        yield toFrame(frame.kind, frame.bytes);
      }
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && String(cause.code).match(/^(Z|ERR_ZSTD|ZSTD)/))
      throw damaged(path);
    throw cause;
  } finally {
    source.destroy();
  }
  if (waiting.length > 0 || last !== 'trailer') throw damaged(path);
}

async function requireMagic(path: string): Promise<void> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
  await file.close();
  const text = buffer.toString('latin1', 0, bytesRead);
  if (text === magic) return;
  throw new BackupFileError(
    text.startsWith('sluice backup ')
      ? `${path} was created by a newer version of Sluice. Install that version to restore it.`
      : `${path} is not a Sluice backup.`,
  );
}

function takeFrame(bytes: Buffer) {
  if (bytes.length < headBytes) return null;
  const kind = kinds.get(bytes[0] ?? 0);
  const end = headBytes + bytes.readUInt32BE(1);
  if (!kind || end > frameMaxBytes) throw new BackupFileError('The backup is damaged. Use another backup.');
  return bytes.length < end ? null : { kind, end, bytes: bytes.subarray(headBytes, end) };
}

function toFrame(kind: Kind, bytes: Buffer): Frame {
  return kind === 'data' ? { kind, bytes } : { kind, json: JSON.parse(bytes.toString()) };
}

function damaged(path: string): BackupFileError {
  return new BackupFileError(`${path} is damaged or incomplete. Use another backup.`);
}
