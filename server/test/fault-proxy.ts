import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as yieldOnce } from 'node:timers/promises';
import { createRandom, pickOne } from './seeded-random.ts';

/** What a network, or whoever is behind it, does to a connection. */
export type Fault =
  /** Some bytes come up to 80 ms late. */
  | 'latency'
  /** Some bytes come one at a time. */
  | 'single bytes'
  /** Both ends see a reset. */
  | 'cut'
  /** One end sees the other's end, and goes on speaking. */
  | 'half-close'
  /** Nothing passes for up to 2 s; then both ends see a reset. */
  | 'stall'
  /** Some bytes of an answer are others; a second later both ends see a reset. */
  | 'garble'
  /** A COMMIT arrives, and its answer is lost with the connection. */
  | 'cut after commit';

/** Which faults the connections between two parts have. */
export interface FaultyLink {
  readonly name: string;
  /** Whether a connection is of this link, by the first bytes that it carries. */
  isOf(firstBytes: Buffer): boolean;
  readonly faults: readonly [Fault, ...Fault[]];
  /** How likely a fault begins with a chunk of bytes, in either direction. */
  readonly chance: number;
}

/** A network between two parts that can fail: all at once by order, and here and there by what a seed says. */
export interface FaultProxy {
  readonly port: number;
  /** From now on the link of this name has its faults, by decisions of this seed. */
  harm(linkName: string, seed: string): void;
  /** From now on no fault begins. */
  calm(): void;
  /** How often which fault has begun. */
  readonly begun: ReadonlyMap<Fault, number>;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Passes nothing on any more and tells no one, as when a cable is pulled. */
  freeze(): void;
  /** Passes new connections on; those that were frozen stay silent for ever. */
  restore(): void;
  close(): Promise<void>;
}

type NetworkState = 'open' | 'cut' | 'frozen';

const latencyMaxMs = 80;
const stallMaxMs = 2_000;
const garbledForMs = 1_000;
const singleBytesMax = 1_000;
/** There are few commits, and each is where an outcome can be lost. */
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
    port: (server.address() as AddressInfo).port, // safe because it listens on TCP
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

/** Which link is harmed, and what its decisions follow from. */
interface Harm {
  readonly linkName: string;
  readonly seed: string;
}

let connections = 0;

/** The decisions on one connection: they follow from the seed, and from how many connections were made before it. */
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

/** What is to happen to a chunk, by its connection's first bytes; `null` lets it pass. */
type Decide = (
  firstBytes: Buffer,
  chunk: Buffer,
  isAnswer: boolean,
) => { fault: Fault; random: () => number } | null;

/** A connection and the one behind it. */
class Pair {
  readonly #client: Socket;
  readonly #upstream: Socket;
  /** `null` where nothing is ever harmed: there the system's own pipes carry the bytes. */
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
        // What one end has said last is still to be passed on.
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
    // A socket of another kind than TCP knows no reset.
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
        // The time is what is tested: so late do the bytes come.
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

function garble(chunk: Buffer, random: () => number): void {
  for (let count = 1 + Math.floor(random() * 8); count > 0; count--)
    chunk[Math.floor(random() * chunk.length)] = Math.floor(random() * 256);
}
