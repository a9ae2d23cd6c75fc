import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** Connection that `pg` passes to custom statements. The types of `pg` do not cover COPY. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Custom `pg` statement whose handlers are called for each message. `ended` resolves to the row count. */
abstract class CopyStatement {
  readonly ended: Promise<number>;
  /** Set by clients that have a query timeout. Stops the client's timer. */
  callback: (() => void) | undefined;
  protected readonly settle: PromiseWithResolvers<number>;
  private rows = 0;
  private failure: Error | null = null;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.settle = Promise.withResolvers<number>();
    this.ended = this.settle.promise;
    this.ended.catch(() => undefined);
  }

  submit(connection: object): void {
    (connection as CopyConnection).query(this.text); // safe because this is the connection of `pg`
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.match(/\d+$/)?.[0] ?? 0);
  }

  handleError(error: Error): void {
    this.failure = error;
    this.settle.reject(error);
    this.callback?.();
  }

  handleReadyForQuery(): void {
    this.callback?.();
    if (!this.failure) this.settle.resolve(this.rows);
  }
}

class CopyOut extends CopyStatement {
  private waiting: Buffer[] = [];
  private wake = Promise.withResolvers<void>();
  private isOver = false;
  private connection: CopyConnection | null = null;

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    this.connection = connection;
    // Copy the chunk, which is a view of a buffer that the next message overwrites.
    this.waiting.push(Buffer.from(chunk));
    connection.stream.pause();
    this.wake.resolve();
  }

  override handleError(error: Error): void {
    super.handleError(error);
    this.finish();
  }

  override handleReadyForQuery(): void {
    super.handleReadyForQuery();
    this.finish();
  }

  private finish(): void {
    this.isOver = true;
    this.wake.resolve();
  }

  async *chunks(): AsyncGenerator<Buffer> {
    while (true) {
      await this.wake.promise;
      this.wake = Promise.withResolvers<void>();
      const taken = this.waiting;
      this.waiting = [];
      if (taken.length > 0) yield Buffer.concat(taken);
      this.connection?.stream.resume();
      if (this.isOver && this.waiting.length === 0) break;
    }
    await this.ended;
  }
}

/** Runs `COPY ... TO STDOUT` with backpressure on the database. The generator's return value is the number of rows. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  const statement = client.query(new CopyOut(text));
  yield* statement.chunks();
  return statement.ended;
}

class CopyIn extends CopyStatement {
  private readonly ready = Promise.withResolvers<CopyConnection | null>();

  handleCopyInResponse(connection: CopyConnection): void {
    this.ready.resolve(connection);
  }

  override handleError(error: Error): void {
    super.handleError(error);
    this.ready.resolve(null);
  }

  async send(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number> {
    const connection = await this.ready.promise;
    if (!connection) return this.ended;
    try {
      for await (const chunk of chunks) {
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await this.drained(connection.stream);
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail('the file could not be read');
      await this.ended.catch(() => undefined);
      throw error;
    }
    return this.ended;
  }

  private drained(stream: Duplex): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.once('drain', resolve);
    return Promise.race([promise, this.ended]);
  }
}

/** Runs `COPY ... FROM STDIN` and returns the number of rows. */
export function copyIn(
  client: pg.ClientBase,
  text: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<number> {
  return client.query(new CopyIn(text)).send(chunks);
}
