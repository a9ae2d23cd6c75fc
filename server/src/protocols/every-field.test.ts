import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import type { ChatService } from '#providers/provider.ts';
import { type ProviderKey, providers } from '#providers/registry.ts';
import { itSampled } from '#test/load/sample.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { translatedFields as anthropicFields } from './anthropic-messages/translated-fields.ts';
import type { Shape } from './caller-request/request-shape.ts';
import type { ProtocolId } from './canonical/content.ts';
import { translatedFields as geminiFields } from './gemini/translated-fields.ts';
import { readEmbeddings, translatedEmbeddings } from './openai-chat/embeddings-caller.ts';
import { sharedAccountEmbeddings } from './openai-chat/shared-account.ts';
import { translatedFields as chatFields } from './openai-chat/translated-fields.ts';
import { translatedFields as responsesFields } from './openai-responses/translated-fields.ts';
import type { EncodedRequest, Protocol } from './protocol.ts';
import { protocols } from './registry.ts';
import { conversations } from './testing/conversations.ts';
import { type CallerId, fullRequests } from './testing/full-requests.ts';
import { collectPairs, type FieldPair, listObjectShapes } from './testing/translation/every-field.ts';
import { plainRequests } from './testing/translation/feature.ts';
import { moreRequests } from './testing/translation/more-requests.ts';
import { describeTarget, features, upstreams } from './testing/translation/page.ts';
import { unwarnedFields } from './testing/translation/unwarned-fields.ts';
import { makeToolNamesPortable, nameForCaller } from './translation/tool-names.ts';

const translated: Readonly<Record<CallerId, Shape>> = {
  'anthropic-messages': anthropicFields,
  gemini: geminiFields,
  'openai-chat': chatFields,
  'openai-responses': responsesFields,
};

function listRequests(id: CallerId): object[] {
  const own = features.flatMap(({ fields }): object[] => (fields[id] ? [fields[id]] : []));
  const plain: object = { model: 'm', ...plainRequests[id] };
  const samples = [...(moreRequests[id] ?? []), ...own];
  return [
    plain,
    ...samples.map((fields) => ({ ...plain, ...fields })),
    conversations[id] ?? {},
    fullRequests[id],
  ];
}

interface Target {
  readonly key: ProviderKey;
  readonly protocol: ProtocolId;
  readonly model: string;
  readonly service: ChatService | undefined;
}

const targets: readonly Target[] = [
  // safe because the keys of the record are the protocols
  ...(Object.entries(upstreams) as [ProtocolId, (typeof upstreams)[ProtocolId]][]).flatMap(
    ([protocol, { key, service, model, thinker }]) => [
      { key, protocol, service, model },
      { key, protocol, service, model: thinker },
    ],
  ),
  {
    key: 'openrouter',
    protocol: 'openai-chat',
    service: providers.openrouter.chat,
    model: 'anthropic/claude-sonnet-4.5',
  },
  {
    key: 'mistral',
    protocol: 'openai-chat',
    service: providers.mistral.chat,
    model: 'mistral-large-latest',
  },
  {
    key: 'openrouter',
    protocol: 'openai-responses',
    service: providers.openrouter.alsoSpeaks?.[0],
    model: 'x/y',
  },
];

type Translate = (body: object) => EncodedRequest;
type Caller = (typeof callerProtocols)[number];

const readRequest = ({ caller }: Caller, body: object) => {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)), { model: 'm', isStream: false });
  if (!parsed.ok) return parsed;
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) return decoded;
  const { request } = makeToolNamesPortable(decoded.request);
  return { ok: true as const, request, isStream: parsed.request.isStream };
};

function remember<Result>(read: (body: object) => Result): (body: object) => Result {
  const known = new WeakMap<object, Result>();
  return (body) => known.getOrInsertComputed(body, read);
}

function translateTo(
  { key, protocol, service, model }: Target,
  { caller }: Caller,
  read: (body: object) => ReturnType<typeof readRequest>,
): Translate {
  return (body) => {
    const decoded = read(body);
    if (!decoded.ok) return decoded;
    const target = { ...describeTarget(key, service, model), isStream: decoded.isStream };
    const encoded = protocols[protocol].provider.encodeRequest(decoded.request, target);
    return nameForCaller(encoded, caller.parameterNames);
  };
}

function translateEmbeddings(body: object, { id, provider }: Protocol): EncodedRequest {
  const parsed = finish(readEmbeddings(Buffer.from(JSON.stringify(body))));
  if (!parsed.ok) return parsed;
  if (!provider.embeddings) throw new Error(`${id} has no embeddings`);
  return provider.embeddings.encodeRequest(parsed.request.toCanonical(), 'embed');
}

function isAnswered({ field, holders, withField, withoutField }: FieldPair, translate: Translate): boolean {
  const given = translate(withField);
  const plain = translate(withoutField);
  if (!given.ok || !plain.ok) return true;
  const isWarned = given.warnings.some(
    (warning) =>
      !plain.warnings.includes(warning) ||
      field === warning ||
      field.endsWith(`.${warning}`) ||
      holders.some((holder) => holder === warning || holder.endsWith(`.${warning}`)) ||
      (isAboutReasoning(warning) && [field, ...holders].some(isAboutReasoning)),
  );
  return isWarned || JSON.stringify(given.body) !== JSON.stringify(plain.body);
}

const isAboutReasoning = (name: string) => /effort|thinking|reasoning/i.test(name);

function dropGiven(found: ReadonlyMap<string, readonly FieldPair[]>): FieldPair[] {
  return [...found].flatMap(([key, pairs]) =>
    key.endsWith('/given') && found.has(key.replace(/given$/, 'new')) ? [] : pairs,
  );
}

/** Google's fields have two spellings, and the documentation page lists only one of them. */
const withCapitals = (field: string) =>
  field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function isListed(caller: CallerId, field: string): boolean {
  return unwarnedFields.some(({ fields }) =>
    [field, withCapitals(field)].some((name) => fields[caller]?.includes(name)),
  );
}

describe.each(callerProtocols)('requests of $id', (caller) => {
  const id = caller.id as CallerId; // safe because callers use only these protocols
  const read = remember((body) => readRequest(caller, body));
  const found = new Map<string, FieldPair[]>();
  const visited = new Set<Shape>();
  const { sharedAccountRequest = translated[id] } = caller.provider;
  for (const shape of [translated[id], sharedAccountRequest])
    for (const request of listRequests(id)) collectPairs(request, shape, found, visited);
  const pairs = dropGiven(found);
  const others = targets.filter(({ protocol }) => protocol !== id);

  itSampled(3, callerProtocols.indexOf(caller)).each(others)(
    'every field is translated, rejected, reported in a warning or listed in docs/TRANSLATION.md, for $protocol $model',
    (target) => {
      // Memoized, because the pairs of a field share the request without the field.
      const translate = remember(translateTo(target, caller, read));
      const lost = pairs.flatMap((pair) =>
        isListed(id, pair.field) || isAnswered(pair, translate) ? [] : [pair.field],
      );
      expect([...new Set(lost)]).toEqual([]);
    },
  );

  it('the sample requests contain every kind of translated object and more than 200 field variants', () => {
    const names = [...listObjectShapes(translated[id])]
      .filter((shape) => !visited.has(shape))
      .map(({ inside }) => (inside?.kind === 'fields' ? [...inside.fields.keys()].join(' ') : ''));
    expect(names).toEqual([]);
    expect(found.size).toBeGreaterThan(200);
  });

  it('every field listed as dropped without a warning exists in a sample request', () => {
    const known = new Set(pairs.map(({ field }) => field));
    const named = unwarnedFields.flatMap(({ fields }) => fields[id] ?? []);
    expect(named.filter((field) => !known.has(field))).toEqual([]);
  });
});

const embedders = (Object.values(protocols) as Protocol[]).filter(({ provider }) => provider.embeddings); // safe because the values of the registry are protocols

it.each(embedders)(
  'every field of an embeddings request, except those for the gateway, is translated, rejected or reported in a warning, for $id',
  (protocol) => {
    const found = new Map<string, FieldPair[]>();
    const request = {
      model: 'm',
      input: ['a'],
      dimensions: 3,
      user: 'u',
      metadata: { a: 'b' },
      input_type: 'query',
    };
    for (const shape of [translatedEmbeddings, sharedAccountEmbeddings])
      collectPairs(request, shape, found, new Set());
    const handled = ['encoding_format', 'task_id', 'format', 'metadata.task_id'];
    const lost = [...found.values()].flat().flatMap((pair) => {
      const isLost = !isAnswered(pair, (body) => translateEmbeddings(body, protocol));
      return isLost && !handled.includes(pair.field) ? [pair.field] : [];
    });
    expect(lost).toEqual([]);
  },
);
