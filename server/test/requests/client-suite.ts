import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { TestGateway } from '../console/gateway.ts';
import { otherAnswer, otherCalls } from '../providers/other-provider.ts';
import {
  embeddingProtocols,
  modelOf,
  reasoningProtocols,
  startBeforeEveryProtocol,
  upstreamProtocols,
} from '../providers/upstream-protocols.ts';

export interface Said {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly reasoning?: string;
  readonly usage?: { readonly input: number; readonly output: number };
}

/** Test adapter of a client. Operations that the client does not support are omitted. */
export interface ClientUnderTest {
  listModels?(): Promise<string[]>;
  ask(model: string, prompt: string): Promise<Said>;
  stream(model: string, prompt: string): Promise<Said & { readonly pieces: number }>;
  /**
   * Sends a request with `tools`, streamed or not. Then sends the next request, with the result `ten` for each tool
   * call.
   */
  useTools(model: string, isStream: boolean): Promise<readonly [calling: Said, answering: Said]>;
  /** Same as `useTools` with reasoning, which is sent back together with the tool calls. */
  reason?(model: string, isStream: boolean): Promise<readonly [calling: Said, answering: Said]>;
  showImage(model: string, image: typeof picture): Promise<string>;
  askForJson(model: string): Promise<unknown>;
  embed?(model: string, texts: string[]): Promise<readonly (readonly number[])[]>;
  leave(model: string): Promise<void>;
  isErrorOf(error: unknown, status: number): boolean;
  /** Upstream protocol of which the client ignores the tool calls of the third-party mock provider. */
  readonly overlooksCallsOf?: ProtocolId;
}

export interface ClientOptions {
  readonly origin: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const riverSchema = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, length: { type: 'integer' as const } },
  required: ['name', 'length'],
  additionalProperties: false,
};
export const tools = [
  { name: 'find_river', description: 'Finds a river', parameters: riverSchema },
  { name: 'now', description: 'Tells the time', parameters: { type: 'object' as const, properties: {} } },
];
/** Image with only the PNG signature, which is sufficient for providers that detect the type. */
export const picture = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
export const question = 'How long is the Rhine?';
export const toolResult = 'ten';

interface Suite {
  readonly name: string;
  /** Returns the gateway. Undefined before the first test. */
  gateway(): TestGateway;
  connect(apiKey?: string, headers?: Readonly<Record<string, string>>): ClientUnderTest;
}

/** Tests each feature with an upstream of each protocol. */
export function describeClient(name: string, create: (options: ClientOptions) => ClientUnderTest): void {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startBeforeEveryProtocol();
  });
  afterAll(() => gateway.stop());
  const connect = (apiKey = gateway.apiKey, headers = {}) =>
    create({ origin: gateway.origin, apiKey, headers });
  const suite: Suite = { name, connect, gateway: () => gateway };

  it(`${name} lists the models of every upstream if it supports lists`, async () => {
    const names = await connect().listModels?.();
    if (names) {
      const expected = upstreamProtocols.map((protocol) => modelOf(protocol, 'talk'));
      expect(names).toEqual(expect.arrayContaining(expected));
    }
  });

  describe.each(upstreamProtocols)(`${name} at an upstream of %s`, (protocol) => {
    describeAnswers(suite, protocol);
    describeTools(suite, protocol);
    describeOtherProvider(suite, protocol);
    describeForms(suite, protocol);
    describeFailures(suite, protocol);
  });

  it(`${name} causes no warnings or errors in the log of the gateway`, () => {
    expect(gateway.problems).toEqual([]);
  });
}

function describeAnswers({ name, connect, gateway }: Suite, protocol: ProtocolId): void {
  const lastBilled = () => gateway().sandbox.journal.entries().at(-1);
  it(`${name} gets a response with the billed usage`, async () => {
    const said = await connect().ask(modelOf(protocol, 'talk'), question);
    expect(said).toMatchObject({ text: expect.stringMatching(/^\w.{20,}/), calls: [] });
    expect(said.usage).toEqual({
      input: lastBilled()?.promptTokens,
      output: lastBilled()?.completionTokens,
    });
    expect(lastBilled()?.protocol).toBe(protocol);
  });

  it(`${name} streams the same text in pieces with the same usage`, async () => {
    const client = connect();
    const whole = await client.ask(modelOf(protocol, 'talk'), question);
    const { pieces, ...streamed } = await client.stream(modelOf(protocol, 'talk'), question);
    expect(streamed.text).toBe(whole.text);
    expect(streamed.usage).toEqual(whole.usage);
    expect(pieces).toBeGreaterThan(5);
  });
}

function describeTools({ name, connect }: Suite, protocol: ProtocolId): void {
  it.each([false, true])(
    `${name} calls two tools in parallel, one without arguments (stream: %s)`,
    async (isStream) => {
      const [calling, answering] = await connect().useTools(modelOf(protocol, 'call-two'), isStream);
      expect(calling.calls.map(({ name: called, input }) => [called, input])).toEqual([
        ['find_river', { name: expect.any(String), length: expect.any(Number) }],
        ['now', {}],
      ]);
      expect(new Set(calling.calls.map(({ id }) => id)).size).toBe(2);
      expect(answering).toMatchObject({ text: expect.stringMatching(/^\w.{20,}/), calls: [] });
    },
  );

  it.each([false, true])(
    `${name} sends reasoning back to the provider with the calls (stream: %s)`,
    async (isStream) => {
      const turns = await connect().reason?.(modelOf(protocol, 'reason'), isStream);
      if (!turns) return;
      const [calling, answering] = turns;
      expect(calling.calls).toHaveLength(1);
      if (reasoningProtocols.includes(protocol)) expect(calling.reasoning).toMatch(/^\w.{10,}/);
      expect(answering).toMatchObject({ text: expect.stringMatching(/^\w.{20,}/), calls: [] });
    },
  );
}

function describeOtherProvider({ name, connect }: Suite, protocol: ProtocolId): void {
  it(`${name} gets the same responses from a third-party mock provider`, async () => {
    const client = connect();
    const model = modelOf(protocol, 'other');
    expect(await client.ask(model, question)).toMatchObject({ text: otherAnswer, calls: [] });
    expect(await client.stream(model, question)).toMatchObject({ text: otherAnswer, calls: [] });
    if (client.overlooksCallsOf === protocol) return;
    for (const isStream of [false, true]) {
      const [calling, answering] = await client.useTools(model, isStream);
      expect(calling.calls.map(({ name: called, input }) => ({ name: called, arguments: input }))).toEqual(
        otherCalls,
      );
      expect(answering).toMatchObject({ text: otherAnswer, calls: [] });
    }
  });
}

function describeForms({ name, connect }: Suite, protocol: ProtocolId): void {
  it(`${name} sends an image`, async () => {
    expect(await connect().showImage(modelOf(protocol, 'talk'), picture)).toMatch(
      /^I see image\/png of 8 bytes\./,
    );
  });

  it(`${name} gets JSON that matches its schema`, async () => {
    expect(await connect().askForJson(modelOf(protocol, 'talk'))).toEqual({
      name: expect.any(String),
      length: expect.any(Number),
    });
  });

  it(`${name} gets vectors in order, or a 400 if the provider has no embeddings`, async () => {
    const client = connect();
    if (!client.embed) return;
    const model = modelOf(protocol, 'embed');
    if (!embeddingProtocols.includes(protocol)) {
      expect(client.isErrorOf(await failureOf(client.embed(model, ['a'])), 400)).toBe(true);
      return;
    }
    const [first, second] = await client.embed(model, ['a', 'b']);
    const [again] = await client.embed(model, ['b']);
    expect(first).toHaveLength(256);
    expect(second).toEqual(again);
    expect(second).not.toEqual(first);
  });
}

function describeFailures({ name, connect, gateway }: Suite, protocol: ProtocolId): void {
  it.each([
    ['an unknown model', 404, 'nobody', undefined],
    ['a wrong key', 401, 'talk', 'slc_wrong'],
    ['a busy provider', 429, 'busy', undefined],
    ["a provider that refuses the gateway's key", 502, 'shut', undefined],
  ] as const)(
    `${name} throws its own exception for %s with status %i`,
    async (_, status, purpose, apiKey) => {
      const client = connect(apiKey);
      const model = purpose === 'nobody' ? `${protocol}.nobody` : modelOf(protocol, purpose);
      for (const operation of ['ask', 'stream'] as const) {
        const error = await failureOf(client[operation](model, question));
        expect(client.isErrorOf(error, status), `${error}`).toBe(true);
      }
    },
  );

  it(`${name} throws if a stream breaks off`, async () => {
    await failureOf(connect().stream(modelOf(protocol, 'break'), question));
  });

  it(`${name} stops the provider by disconnecting mid-stream, and the row is client_closed`, async () => {
    const id = `left-${name.replaceAll(/\W+/g, '-')}-${protocol}`;
    await connect(gateway().apiKey, { 'x-request-id': id }).leave(modelOf(protocol, 'long'));
    const row = await gateway().waitForRowOf(id);
    expect(row).toMatchObject({ status: 'client_closed', attempts: 1, usage_source: 'estimated' });
    const entry = await gateway().sandbox.journal.waitFor(({ requestId }) => requestId === row.id);
    expect(entry.outcome).toBe('client_closed');
    expect(entry.completionTokens).toBeLessThan(2_000);
  });
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('this should have failed')),
    (error: unknown) => error,
  );
