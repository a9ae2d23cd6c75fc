import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import { createRandom, pickOne } from './seeded-random.ts';

export type Fault =
  /** Some bytes arrive up to 80 ms late. */
  | 'latency'
  /** Some bytes arrive one at a time. */
  | 'single bytes'
  /** Both ends receive a reset. */
  | 'cut'
  /** One end receives the other's FIN and continues to send. */
  | 'half-close'
  /** No bytes pass for up to 2 s. Then both ends receive a reset. */
  | 'stall'
  /** Some bytes of a response are changed. A second later, both ends receive a reset. */
  | 'garble'
  /** A COMMIT arrives, but its response is lost with the connection. */
  | 'cut after commit';

export interface FaultyLink {
  readonly name: string;
  /** Whether a connection belongs to this link, based on its first bytes. */
  isOf(firstBytes: Buffer): boolean;
  readonly faults: readonly [Fault, ...Fault[]];
  /** Probability per chunk of bytes that a fault begins, in either direction. */
  readonly chance: number;
}

/** Proxy that fails completely on request, or randomly from a seed. */
export interface FaultProxy {
  readonly port: number;
  /** Starts random faults on the named link, with decisions derived from the seed. */
  harm(linkName: string, seed: string): void;
  calm(): void;
  readonly begun: ReadonlyMap<Fault, number>;
  cut(): void;
  /** Stops forwarding without closing connections, as if a cable was unplugged. */
  freeze(): void;
  /** Forwards new connections. Frozen connections remain silent forever. */
  restore(): void;
  close(): Promise<void>;
}

type NetworkState = 'open' | 'cut' | 'frozen';

const latencyMaxMs = 80;
const stallMaxMs = 2_000;
const garbledForMs = 1_000;
const singleBytesMax = 1_000;
/** Commits are rare, and a lost response to a commit hides its outcome. */
const commitChance = 0.2;

export async function startFaultProxy(
  target: NetConnectOpts,
  links: readonly FaultyLink[] = [],
): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  const begun = new Map<Fault, number>();
  let state: NetworkState = 'open';
  let harmed: Harm | null = null;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (state === 'cut') return void client.resetAndDestroy();
    const upstream = connect({ ...target, allowHalfOpen: true });
    const decide = links.length === 0 ? null : createDecisions(links, begun, () => harmed);
    const pair = new Pair(client, upstream, decide, state);
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port, // safe because the proxy listens on TCP
    begun,
    harm(linkName, seed) {
      harmed = { linkName, seed };
    },
    calm() {
      harmed = null;
    },
    cut() {
      state = 'cut';
      for (const pair of pairs) pair.reset();
    },
    freeze() {
      state = 'frozen';
      for (const pair of pairs) pair.freeze();
    },
    restore() {
      state = 'open';
    },
    async close() {
      for (const pair of pairs) pair.end();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Harm {
  readonly linkName: string;
  readonly seed: string;
}

let connections = 0;

/** Derives decisions from the seed and the number of previous connections. */
function createDecisions(
  links: readonly FaultyLink[],
  begun: Map<Fault, number>,
  findHarm: () => Harm | null,
): Decide {
  const number = connections++;
  let drawn = { seed: '', random: () => 1 };
  return (firstBytes, chunk, isAnswer) => {
    const link = links.find((one) => one.isOf(firstBytes));
    const harm = findHarm();
    if (!harm || link?.name !== harm.linkName) return null;
    const { seed } = harm;
    if (drawn.seed !== seed) drawn = { seed, random: createRandom(`${seed} ${number}`) };
    const fault = draw(link, drawn.random, chunk, isAnswer);
    if (fault) begun.set(fault, (begun.get(fault) ?? 0) + 1);
    return fault && { fault, random: drawn.random };
  };
}

function draw(link: FaultyLink, random: () => number, chunk: Buffer, isAnswer: boolean): Fault | null {
  const { chance, faults } = link;
  if (!isAnswer && faults.includes('cut after commit') && chunk.includes('COMMIT') && random() < commitChance)
    return 'cut after commit';
  if (random() >= chance) return null;
  const fault = pickOne(random, faults);
  if (fault === 'cut after commit') return null;
  return fault === 'garble' && !isAnswer ? null : fault;
}

/** Returns the fault of a chunk, given the first bytes of its connection; `null` forwards the chunk. */
type Decide = (
  firstBytes: Buffer,
  chunk: Buffer,
  isAnswer: boolean,
) => { fault: Fault; random: () => number } | null;

class Pair {
  readonly #client: Socket;
  readonly #upstream: Socket;
  /** Fault decisions; `null` if the link never has faults and the streams are piped. */
  readonly #decide: Decide | null;
  readonly #closed = Promise.withResolvers<void>();
  #firstBytes: Buffer | null = null;
  #isAnswerLost = false;
  #isFrozen: boolean;

  constructor(client: Socket, upstream: Socket, decide: Decide | null, state: NetworkState) {
    this.#isFrozen = state === 'frozen';
    this.#client = client;
    this.#upstream = upstream;
    this.#decide = decide;
    for (const socket of [client, upstream]) {
      socket.on('error', () => this.reset());
      socket.on('close', () => {
        this.#closed.resolve();
        // The last bytes from the socket still have to be forwarded.
        if (socket === client || !client.writableEnded) setImmediate(() => this.end());
      });
    }
    if (decide) {
      void this.#pump(client, upstream, false);
      void this.#pump(upstream, client, true);
    } else if (this.#isFrozen) client.pause();
    else client.pipe(upstream).pipe(client);
  }

  freeze(): void {
    this.#isFrozen = true;
    if (this.#decide) return;
    this.#client.unpipe(this.#upstream).pause();
    this.#upstream.unpipe(this.#client).pause();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    // Only TCP sockets can be reset.
    if (this.#upstream.remotePort === undefined) this.#upstream.destroy();
    else this.#upstream.resetAndDestroy();
  }

  end(): void {
    this.#client.destroy();
    this.#upstream.destroy();
  }

  async #pump(from: Socket, to: Socket, isAnswer: boolean): Promise<void> {
    try {
      for await (const chunk of from) {
        this.#firstBytes ??= chunk;
        if (this.#isFrozen) await this.#closed.promise;
        await this.#pass(chunk, to, isAnswer);
      }
      if (this.#isFrozen) await this.#closed.promise;
      to.end();
    } catch {
      this.reset();
    }
  }

  async #pass(chunk: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    if (isAnswer && this.#isAnswerLost) return this.reset();
    const decided = this.#decide?.(this.#firstBytes ?? chunk, chunk, isAnswer);
    switch (decided?.fault) {
      case 'latency':
        // Intentional delay: simulates latency.
        await pause(decided.random() * latencyMaxMs);
        break;
      case 'single bytes':
        return this.#writeByBytes(chunk, to);
      case 'cut':
        return this.reset();
      case 'half-close':
        to.end();
        break;
      case 'stall':
        await Promise.race([pause(decided.random() * stallMaxMs), this.#closed.promise]);
        return this.reset();
      case 'garble':
        garble(chunk, decided.random);
        setTimeout(() => this.reset(), garbledForMs);
        break;
      case 'cut after commit':
        this.#isAnswerLost = true;
        break;
      default:
    }
    await this.#write(to, chunk);
  }

  async #writeByBytes(chunk: Buffer, to: Socket): Promise<void> {
    for (let place = 0; place < Math.min(chunk.length, singleBytesMax); place++) {
      await this.#write(to, chunk.subarray(place, place + 1));
      await yieldOnce();
    }
    await this.#write(to, chunk.subarray(singleBytesMax));
  }

  async #write(to: Socket, bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || to.writableEnded || to.destroyed) return;
    if (!to.write(bytes)) await Promise.race([once(to, 'drain'), this.#closed.promise]);
  }
}

export const garbledBytesMax = 8;

function garble(chunk: Buffer, random: () => number): void {
  for (let count = 1 + Math.floor(random() * garbledBytesMax); count > 0; count--)
    chunk[Math.floor(random() * chunk.length)] = Math.floor(random() * 256);
}
