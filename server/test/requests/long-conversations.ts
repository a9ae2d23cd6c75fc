import type { ProtocolId } from '#protocols/canonical/content.ts';

export type Repeated =
  | 'turns'
  | 'parts'
  | 'calls'
  | 'results of one name'
  | 'texts before calls'
  | 'tools'
  | 'stops';

type Make = (count: number) => object;

const list = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const half = (count: number) => Math.ceil(count / 2);

const chat: Record<Repeated, Make> = {
  turns: (count) => ({
    messages: list(count, (index) => ({ role: index % 2 ? 'assistant' : 'user', content: 'a' })),
  }),
  parts: (count) => ({
    messages: [{ role: 'user', content: list(count, () => ({ type: 'text', text: 'a' })) }],
  }),
  calls: (count) => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        tool_calls: list(half(count), (index) => ({
          id: `c${index}`,
          type: 'function',
          function: { name: 'f', arguments: '{"a":1}' },
        })),
      },
      ...list(half(count), (index) => ({
        role: 'tool',
        tool_call_id: `c${half(count) - 1 - index}`,
        content: '{"a":1}',
      })),
    ],
  }),
  'results of one name': (count) => ({
    messages: [
      { role: 'user', content: 'a' },
      ...list(half(count), () => [
        { role: 'assistant', function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'x' },
      ]).flat(),
    ],
  }),
  'texts before calls': (count) => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: list(half(count), () => ({ type: 'text', text: 'a' })),
        tool_calls: list(half(count), (index) => ({
          id: `c${index}`,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      },
      ...list(half(count), (index) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'x' })),
    ],
  }),
  tools: (count) => ({
    messages: [{ role: 'user', content: 'a' }],
    tools: list(count, (index) => ({
      type: 'function',
      function: { name: `f${index}`, parameters: schema },
    })),
  }),
  stops: (count) => ({
    messages: [{ role: 'user', content: 'a' }],
    stop: list(count, (index) => `s${index}`),
  }),
};

const anthropic: Record<Repeated, Make> = {
  turns: chat.turns,
  parts: chat.parts,
  calls: (count) => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: list(half(count), (index) => ({
          type: 'tool_use',
          id: `c${index}`,
          name: 'f',
          input: { a: 1 },
        })),
      },
      {
        role: 'user',
        content: list(half(count), (index) => ({
          type: 'tool_result',
          tool_use_id: `c${half(count) - 1 - index}`,
          content: '{"a":1}',
        })),
      },
    ],
  }),
  'results of one name': (count) => ({
    messages: list(half(count), (index) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `c${index}`, name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${index}`, content: 'x' }] },
    ]).flat(),
  }),
  'texts before calls': (count) => ({
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          ...list(half(count), () => ({ type: 'text', text: 'a' })),
          ...list(half(count), (index) => ({ type: 'tool_use', id: `c${index}`, name: 'f', input: {} })),
        ],
      },
      {
        role: 'user',
        content: list(half(count), (index) => ({ type: 'tool_result', tool_use_id: `c${index}` })),
      },
    ],
  }),
  tools: (count) => ({
    messages: [{ role: 'user', content: 'a' }],
    tools: list(count, (index) => ({ name: `f${index}`, input_schema: schema })),
  }),
  stops: (count) => ({
    messages: [{ role: 'user', content: 'a' }],
    stop_sequences: list(count, (index) => `s${index}`),
  }),
};

const responses: Record<Repeated, Make> = {
  turns: (count) => ({
    input: list(count, (index) => ({ role: index % 2 ? 'assistant' : 'user', content: 'a' })),
  }),
  parts: (count) => ({
    input: [{ role: 'user', content: list(count, () => ({ type: 'input_text', text: 'a' })) }],
  }),
  calls: (count) => ({
    input: [
      ...list(half(count), (index) => ({
        type: 'function_call',
        call_id: `c${index}`,
        name: 'f',
        arguments: '{"a":1}',
      })),
      ...list(half(count), (index) => ({
        type: 'function_call_output',
        call_id: `c${half(count) - 1 - index}`,
        output: '{"a":1}',
      })),
    ],
  }),
  'results of one name': (count) => ({
    input: list(half(count), (index) => [
      { type: 'custom_tool_call', call_id: `c${index}`, name: 'f', input: 'x' },
      { type: 'custom_tool_call_output', call_id: `c${index}`, output: 'x' },
    ]).flat(),
  }),
  'texts before calls': (count) => ({
    input: [
      { role: 'assistant', content: list(half(count), () => ({ type: 'output_text', text: 'a' })) },
      ...list(half(count), (index) => ({
        type: 'function_call',
        call_id: `c${index}`,
        name: 'f',
        arguments: '{}',
      })),
      ...list(half(count), (index) => ({ type: 'function_call_output', call_id: `c${index}`, output: 'x' })),
    ],
  }),
  tools: (count) => ({
    input: 'a',
    tools: list(count, (index) => ({ type: 'function', name: `f${index}`, parameters: schema })),
    tool_choice: {
      type: 'allowed_tools',
      mode: 'auto',
      tools: list(count, (index) => ({ type: 'function', name: `f${index}` })),
    },
  }),
  stops: (count) => ({ input: 'a', include: list(count, (index) => `s${index}`) }),
};

const gemini: Record<Repeated, Make> = {
  turns: (count) => ({
    contents: list(count, (index) => ({ role: index % 2 ? 'model' : 'user', parts: [{ text: 'a' }] })),
  }),
  parts: (count) => ({ contents: [{ role: 'user', parts: list(count, () => ({ text: 'a' })) }] }),
  calls: (count) => ({
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: list(half(count), (index) => ({
          functionCall: { id: `c${index}`, name: `f${index}`, args: { a: 1 } },
        })),
      },
      {
        role: 'user',
        parts: list(half(count), (index) => ({
          functionResponse: {
            id: `c${half(count) - 1 - index}`,
            name: `f${half(count) - 1 - index}`,
            response: { output: 'x' },
          },
        })),
      },
    ],
  }),
  'results of one name': (count) => ({
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [
          ...list(half(count), () => ({ functionCall: { name: 'g', args: {} } })),
          ...list(half(count), () => ({ functionCall: { name: 'f', args: {} } })),
        ],
      },
      { role: 'user', parts: list(half(count), () => ({ functionResponse: { name: 'f', response: {} } })) },
    ],
  }),
  'texts before calls': (count) => ({
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [
          ...list(half(count), (index) => ({ text: 'a', thought: index % 2 === 0 })),
          ...list(half(count), (index) => ({ functionCall: { id: `c${index}`, name: 'f', args: {} } })),
        ],
      },
    ],
  }),
  tools: (count) => ({
    contents: [{ parts: [{ text: 'a' }] }],
    tools: [
      {
        functionDeclarations: list(count, (index) => ({ name: `f${index}`, parameters: { type: 'OBJECT' } })),
      },
    ],
    toolConfig: {
      functionCallingConfig: {
        mode: 'ANY',
        allowedFunctionNames: list(count, (index) => `f${count - index}`),
      },
    },
  }),
  stops: (count) => ({
    contents: [{ parts: [{ text: 'a' }] }],
    generationConfig: { stopSequences: list(count, (index) => `s${index}`) },
  }),
};

const makers: Partial<Record<ProtocolId, Record<Repeated, Make>>> = {
  'openai-chat': chat,
  'anthropic-messages': anthropic,
  'openai-responses': responses,
  gemini,
};

export const repeatedThings = Object.keys(chat) as Repeated[]; // safe because the keys are those of the record

export function makeLongConversation(id: ProtocolId, repeated: Repeated, count: number): object {
  const make = makers[id]?.[repeated];
  if (!make) throw new Error(`no caller uses ${id}`);
  const plain = id === 'gemini' ? {} : { model: 'm', ...(id === 'anthropic-messages' && { max_tokens: 9 }) };
  return { ...plain, ...make(count) };
}
