import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '#protocols/anthropic-messages/index.ts';
import { parseCountTokens } from '#protocols/anthropic-messages/read-request.ts';
import type { ParsedRequest } from '#protocols/canonical/request.ts';
import { gemini } from '#protocols/gemini/index.ts';
import { openaiChat } from '#protocols/openai-chat/index.ts';
import type { AddedTokens, Provider } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { readChatCases } from '#test/requests/chat-cases.ts';
import { ownCases, readWireCases, type WireCase } from '#test/requests/wire-cases.ts';
import {
  type CountablePrompt,
  estimatePromptTokens,
  estimateTextTokens,
  leastPromptTokens,
  likelyPromptTokens,
  sumPromptTokens,
} from './token-estimate.ts';

const counted: [text: string, tokens: number][] = [
  ['Hello, world!', 4],
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['What is 25% of 80, and which of the 12 answers from 2024-11-20 is right?', 27],
  [
    'const total = items.reduce((sum, { price, count }) => sum + price * count, 0);\n\treturn Math.round(total * 100) / 100;',
    35,
  ],
  ['{"id":"550e8400-e29b-41d4-a716-446655440000","created_at":"2026-11-20T13:06:47.123Z","ok":true}', 45],
  [
    'SELECT u.id, COUNT(*) FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY 1 HAVING COUNT(*) > 5;',
    32,
  ],
  ['        if (x) {\n            y();\n        }\n\n\n', 11],
  ['Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung.', 21],
  ['Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.', 24],
  ['Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.', 26],
  ['Все люди рождаются свободными и равными в своем достоинстве и правах.', 17],
  ['يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.', 18],
  ['सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है।', 22],
  ['人人生而自由,在尊严和权利上一律平等。', 16],
  ['すべての人間は、生まれながらにして自由である。', 18],
  ['모든 인간은 태어날 때부터 자유로우며 동등하다.', 17],
  ['มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน', 20],
  ['ሁሉም ሰዎች ነጻ ሆነው ይወለዳሉ።', 38],
  ['Well done 👍🏽 — see you at 10:30 😀🎉', 16],
  ['d41d8cd98f00b204e9800998ecf8427e5f4dcc3b5aa765d61d8327deb882cf99', 37],
  ['ErUBCkYIBxgCKkAQk3Jx7Hn2mZ0qPsTDm9vYw3kYQpXcGhLr4KqMbz8VtU6iAeR1s0uCjxNnXKzWl2fYJ4LpEoQvB7dS', 80],
];

describe('estimateTextTokens', () => {
  it.each(counted)(
    'estimateTextTokens is at least the number of tokens and at most about twice as high for %j',
    (text, tokens) => {
      const estimate = estimateTextTokens(text);
      expect(estimate).toBeGreaterThanOrEqual(tokens);
      expect(estimate).toBeLessThanOrEqual(2.2 * tokens + 4);
    },
  );

  it('estimateTextTokens of a long text is at least the number of tokens and less than twice as high', () => {
    const all = counted.map(([text]) => text).join('\n');
    const tokens = counted.reduce((sum, [, count]) => sum + count, 0);
    for (const times of [1, 100]) {
      const estimate = estimateTextTokens(all.repeat(times));
      expect(estimate).toBeGreaterThanOrEqual(tokens * times);
      expect(estimate).toBeLessThan(2 * tokens * times);
    }
  });

  it('estimateTextTokens returns a whole number that grows with the text by at most two tokens per byte plus one', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        const [alone, both] = [estimateTextTokens(left), estimateTextTokens(left + right)];
        expect(Number.isInteger(alone)).toBe(true);
        expect(both).toBeGreaterThanOrEqual(alone);
        expect(both - alone).toBeLessThanOrEqual(2 * Buffer.byteLength(right) + 1);
      }),
    );
  });

  it('estimateTextTokens of a long text is the sum of the prices of its parts', () => {
    // The price of each piece is a whole number of tokens, regardless of the preceding text.
    const pieces = [
      'word',
      'Words',
      'a',
      'B',
      '12',
      '1234 ',
      '{',
      '.',
      '  ',
      '\n\n',
      'ü',
      'x'.repeat(30),
      '한',
      '\t',
    ];
    const part = fc
      .array(fc.constantFrom(...pieces), { maxLength: 200, size: 'max' })
      .map((chosen) => `${chosen.join('').slice(0, 1_000)}e `);
    const margin = estimateTextTokens('');
    fc.assert(
      fc.property(fc.array(part, { minLength: 10, maxLength: 40, size: 'max' }), (parts) => {
        const sum = parts.reduce((tokens, text) => tokens + estimateTextTokens(text) - margin, margin);
        expect(estimateTextTokens(parts.join(''))).toBe(sum);
      }),
    );
  });

  it('estimateTextTokens of an empty text is the margin', () => {
    expect(estimateTextTokens('')).toBe(2);
  });
});

const nothing: CountablePrompt = {
  media: [],
  sealedLetters: 0,
  pieces: 0,
  tokens: 0,
};
const estimate = (prompt: Partial<CountablePrompt>, textsEstimate = 0) =>
  estimatePromptTokens({ ...nothing, ...prompt }, textsEstimate);

describe('estimatePromptTokens', () => {
  it('estimatePromptTokens counts each part that costs tokens, and nothing else', () => {
    expect(estimate({})).toBe(0);
    expect(estimate({}, 250)).toBe(250);
    expect(estimate({ pieces: 3 })).toBe(24);
    expect(estimate({ tokens: 7 })).toBe(7);
    expect(estimate({ sealedLetters: 1_001 })).toBe(251);
  });

  it('estimatePromptTokens counts a fixed amount per image and other media by size', () => {
    const medium = (kind: CountablePrompt['media'][number]['kind'], letters: number | null) =>
      estimate({ media: [{ kind, letters }] });
    const picture = medium('image', 10);
    expect(medium('image', 1_000_000)).toBe(picture);
    expect(medium('image', null)).toBe(picture);
    expect(medium('document', 50_000)).toBe(10_000);
    expect(medium('audio', 50_000)).toBe(500);
    expect(medium('video', 50_000)).toBe(500);
    expect(medium('document', null)).toBeGreaterThan(picture);
  });

  it('estimatePromptTokens is above likelyPromptTokens, which is above leastPromptTokens, and sumPromptTokens adds counted texts', () => {
    const prompt = { ...nothing, pieces: 1 };
    const text = estimateTextTokens('What is 25% of 80, and which answer is right?');
    const likely = likelyPromptTokens(prompt, text);
    expect(leastPromptTokens(prompt, text)).toBeLessThan(likely);
    expect(likely).toBeLessThan(estimatePromptTokens(prompt, text));
    expect(likely).toBeGreaterThanOrEqual(20);
    expect(likely).toBeLessThanOrEqual(30);
    expect(sumPromptTokens(prompt, 14)).toBe(22);
  });
});

/**
 * Recorded requests with complete input and the provider's token count. Excludes the project's own fixtures, which
 * were not counted by a provider.
 */
const own = new Set([...ownCases.values()].flat());
const recorded = [
  ...readChatCases().map((item) => ({ item, parse: openaiChat.caller.parseRequest, usage: 'prompt_tokens' })),
  ...readWireCases('anthropic').map((item) => ({
    item,
    parse: item.endpoint === 'count_tokens' ? parseCountTokens : anthropicMessages.caller.parseRequest,
    usage: 'input_tokens',
  })),
  ...['gemini', 'vertex'].flatMap(readWireCases).map((item) => ({
    item,
    parse: (body: Buffer) => gemini.caller.parseRequest(body, { model: 'm', isStream: false }),
    usage: 'promptTokenCount',
  })),
].flatMap(({ item, parse, usage }) => {
  if (own.has(item)) return [];
  const told = findInputTokens(item, usage);
  return told === null || !isOrdinary(item) ? [] : [{ name: item.name, item, parse, told }];
});

function findInputTokens({ response, endpoint }: WireCase, usage: string): number | null {
  const whole = JSON.stringify(response.body ?? response.sse ?? null).replaceAll('\\"', '"');
  const counts = [
    ...whole.matchAll(new RegExp(`"${endpoint === 'count_tokens' ? 'input_tokens' : usage}": ?(\\d+)`, 'g')),
  ];
  const last = counts.at(-1)?.[1];
  return last === undefined ? null : Number(last);
}

// Excludes requests with input outside of the request: providers' own tools, images, prompts for citations, reasoning
// and formats, and additions by hosts of free models. One recorded usage was invented.
function isOrdinary({ features, name, request }: WireCase): boolean {
  const extras = ['builtin_tool', 'image_input', 'document_input', 'audio_input', 'json_output'];
  return (
    request !== null &&
    !name.includes('testtokencounts') &&
    !extras.some((feature) => features.includes(feature)) &&
    !/"citations"|"thinking"|"output_config"|"type":"(computer|memory|tool_search|compact|openrouter:)|file_?data|:free"/i.test(
      JSON.stringify(request.body),
    )
  );
}

const addedOf: Readonly<Record<string, AddedTokens | undefined>> = {
  ...Object.fromEntries(
    Object.entries(providers).map(([key, { addedTokens }]: [string, Provider]) => [key, addedTokens]),
  ),
  moonshotai: providers.moonshot.addedTokens,
  azure: providers.azure_openai.addedTokens,
  gemini: providers.google.addedTokens,
  vertex: providers.google.addedTokens,
};

// Skip the test without the recorded requests, which are not part of the repository.
if (recorded.length > 0)
  it("estimatePromptTokens is at least the provider's count for every recorded request", () => {
    for (const { name, item, parse, told } of recorded) {
      const parsed: ParsedRequest = parse(Buffer.from(JSON.stringify(item.request?.body)), {
        model: null,
        isStream: null,
      });
      if (!parsed.ok) throw new Error(`${name}: ${parsed.problem.message}`);
      const prompt = parsed.request.readPrompt();
      const { always = 0, withTools = 0 } = addedOf[item.provider] ?? {};
      const added = always + (prompt.hasTools ? withTools : 0);
      const texts = prompt.texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
      expect.soft(estimatePromptTokens(prompt, texts) + added, name).toBeGreaterThanOrEqual(told);
    }
  });
