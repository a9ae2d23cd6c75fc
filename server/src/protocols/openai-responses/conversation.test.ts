import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../anthropic-messages/index.ts';
import type { AssistantPart } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { openaiChat } from '../openai-chat/index.ts';
import { makeToolNamesPortable, restoreToolNames } from '../translation/tool-names.ts';
import { openaiResponses } from './index.ts';
import { answerContext, decode, decodeAnswer, encodeFor } from './testing/exchange.ts';
import { call, message, response, thought } from './testing/wire-events.ts';

const { caller: anthropic } = anthropicMessages;
if (!anthropic) throw new Error('callers speak this protocol');

// The second request must contain OpenAI's first response unchanged.

const answer = decodeAnswer(
  response({
    status: 'completed',
    output: [
      thought('rs_1', { encrypted_content: 'gAAA-hidden' }),
      thought('rs_2', {
        summary: [{ type: 'summary_text', text: 'Two calls.' }],
        encrypted_content: 'gAAA-shown',
      }),
      message('msg_1', 'Let me look.'),
      call('fc_1', '{"path":"a"}'),
      call('fc_2', '{}', 'now'),
    ],
  }),
);

const expected = [
  { role: 'user', content: 'Look' },
  { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA-hidden' },
  {
    id: 'rs_2',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Two calls.' }],
    encrypted_content: 'gAAA-shown',
  },
  { role: 'assistant', content: 'Let me look.' },
  { type: 'function_call', call_id: 'call_fc_1', name: 'read', arguments: '{"path":"a"}' },
  { type: 'function_call', call_id: 'call_fc_2', name: 'now', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_fc_1', output: 'text' },
  { type: 'function_call_output', call_id: 'call_fc_2', output: 'noon' },
];

const secondTurn = (request: CanonicalRequest) => encodeFor(request, { isReasoningModel: true });
const results = { call_fc_1: 'text', call_fc_2: 'noon' };

describe('M7: the second turn of a tool loop contains the reasoning of the first', () => {
  it('reasoning signed by OpenAI is unchanged after a tool loop of a chat completions caller', () => {
    // safe because chat completions responses have this shape
    const { choices } = openaiChat.caller.encodeResponse(answer, answerContext) as {
      choices: { message: object }[];
    };
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: 'Look' },
        choices[0]?.message,
        ...Object.entries(results).map(([tool_call_id, content]) => ({
          role: 'tool',
          tool_call_id,
          content,
        })),
      ],
    };
    const parsed = openaiChat.caller.parseRequest(Buffer.from(JSON.stringify(body)));
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    const request = parsed.request.toCanonical();
    if (!request.ok) expect.unreachable(request.problem.message);
    const { body: encoded, warnings } = secondTurn(request.request);
    expect(encoded.input).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  it('reasoning signed by OpenAI is unchanged after a tool loop of a messages caller', () => {
    // safe because Anthropic's responses have this shape
    const { content } = anthropic.encodeResponse(answer, answerContext) as {
      content: object[];
    };
    const body = {
      model: 'm',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content },
        {
          role: 'user',
          content: Object.entries(results).map(([tool_use_id, text]) => ({
            type: 'tool_result',
            tool_use_id,
            content: text,
          })),
        },
      ],
    };
    const parsed = anthropic.parseRequest(Buffer.from(JSON.stringify(body)), {
      model: null,
      isStream: null,
    });
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    const request = parsed.request.toCanonical();
    if (!request.ok) expect.unreachable(request.problem.message);
    const { body: encoded, warnings } = secondTurn(request.request);
    expect(encoded.input).toEqual(expected);
    expect(warnings).toEqual([]);
  });
});

describe('M7: signatures of other makers are unchanged after a tool loop of a responses caller', () => {
  const bringBack = (parts: readonly AssistantPart[]) => {
    const whole = {
      id: null,
      model: null,
      createdAtSeconds: null,
      choices: [{ parts, finish: { reason: 'stop', native: null } as const }],
      usage: null,
    };
    // safe because this protocol's responses have this shape
    const { output } = openaiResponses.caller.encodeResponse(whole, answerContext) as { output: object[] };
    return decode({
      input: [
        { role: 'user', content: 'Look' },
        ...output,
        { type: 'function_call_output', call_id: 'c1', output: 'text' },
      ],
    });
  };
  const target = {
    model: 'claude-sonnet-4-5',
    isStream: false,
    defaultOutputTokensMax: 4_096,
    isReasoningModel: false,
  };
  const signature = { protocol: 'anthropic-messages', value: 'Erc=' } as const;

  it('signatures are sent back to Anthropic on their original blocks', () => {
    const request = bringBack([
      { type: 'reasoning', text: 'I think', isRedacted: false, signature },
      { type: 'reasoning', text: '', isRedacted: true, signature: { ...signature, value: 'hidden' } },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"path":"a"}' },
    ]);
    const encoded = anthropicMessages.provider.encodeRequest(request, target);
    if (!encoded.ok) expect.unreachable(encoded.problem.message);
    expect(encoded.warnings).toEqual([]);
    expect(encoded.body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I think', signature: 'Erc=' },
            { type: 'redacted_thinking', data: 'hidden' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
      ],
    });
  });

  it("Google's signature is restored on the call that it signs", () => {
    const proof = { protocol: 'gemini', value: 'Cg==' } as const;
    const request = bringBack([
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{}', signature: proof },
      { type: 'tool-call', id: 'c2', name: 'read', arguments: '{}' },
    ]);
    expect(request.messages[1]?.parts).toMatchObject([{ signature: proof }, { id: 'c2' }]);
  });
});

describe('R1: custom tools', () => {
  const tools = [{ type: 'custom', name: 'apply_patch', description: 'Edits files.' }];

  it('a provider that supports only functions can call a custom tool twice', () => {
    const history = [
      { role: 'user', content: 'Fix it' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'failed' },
    ];
    const body = { model: 'm', input: history, tools };
    const parsed = openaiResponses.caller.parseRequest(Buffer.from(JSON.stringify(body)));
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    const { request } = parsed;
    const canonical = request.toCanonical();
    if (!canonical.ok) expect.unreachable(canonical.problem.message);
    const target = { model: 'm', isStream: false, defaultOutputTokensMax: 1, isReasoningModel: false };
    const portable = makeToolNamesPortable(canonical.request);
    const sent = openaiChat.provider.encodeRequest(portable.request, target);
    expect(sent).toMatchObject({
      ok: true,
      body: {
        messages: [
          { role: 'user' },
          {
            tool_calls: [{ id: 'c1', function: { name: 'apply_patch', arguments: '{"input":"*** Begin"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'failed' },
        ],
        tools: [{ function: { name: 'apply_patch', parameters: { required: ['input'] } } }],
      },
    });
    const back = openaiChat.provider.decodeResponse(
      Buffer.from(
        JSON.stringify({
          id: 'x',
          choices: [
            {
              message: {
                tool_calls: [
                  { id: 'c2', function: { name: 'apply_patch', arguments: '{"input":"*** Begin again"}' } },
                ],
              },
              finish_reason: 'tool_calls',
            },
          ],
        }),
      ),
    );
    if (!back) expect.unreachable('it is an answer');
    const context = { ...answerContext, repeatedFields: request.repeatedFields ?? {} };
    const named = restoreToolNames(back, portable.callerTools);
    expect(openaiResponses.caller.encodeResponse(named, context)).toMatchObject({
      output: [{ type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin again' }],
      tools,
    });
  });
});
