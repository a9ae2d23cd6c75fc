import type { CallerId } from '../full-requests.ts';
import { png, say, schema } from './feature.ts';

const chatRequest = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const chatTools = { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] };
const responsesTools = { tools: [{ type: 'function', name: 'f', parameters: schema }] };
const said = (...content: object[]) => [
  { role: 'user', content: say },
  { role: 'assistant', content },
];
const grammar = { syntax: 'lark', definition: 'start: WORD' };

/** Requests with the objects that no feature uses, each with as few other fields as possible. */
export const moreRequests: Readonly<Record<CallerId, readonly object[]>> = {
  'openai-chat': [
    { reasoning: { summary: 'auto' } },
    { thinking: { type: 'adaptive' } },
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    { ...chatTools, tool_choice: { type: 'custom', custom: { name: 'f' } } },
    {
      ...chatTools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
    },
    chatRequest({ type: 'text', text: say, cache_control: { type: 'ephemeral' } }),
    { messages: said({ type: 'text', text: 'It is' }, { type: 'refusal', refusal: 'No.' }) },
    {
      messages: [
        ...said(
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'It is' },
        ),
        { role: 'user', content: 'And?' },
      ],
    },
    {
      messages: [
        { role: 'user', content: say },
        {
          role: 'assistant',
          content: 'It is',
          images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` }, index: 0 }],
        },
        { role: 'user', content: 'And?' },
      ],
    },
    {
      messages: [
        { role: 'user', content: say },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'ten' },
      ],
    },
    {
      messages: [
        { role: 'user', content: say },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'x' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [
        { type: 'custom', custom: { name: 'patch', format: { type: 'grammar', grammar } } },
        { type: 'custom', custom: { name: 'free' } },
      ],
    },
  ],
  'openai-responses': [
    { text: { format: { type: 'json_schema', name: 'a', schema } } },
    { ...responsesTools, tool_choice: { type: 'custom', name: 'f' } },
    {
      tools: [{ type: 'namespace', name: 'n', tools: responsesTools.tools }],
      tool_choice: { type: 'namespace', name: 'n' },
    },
    { reasoning: { context: 'all_turns' } },
    {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }] },
      ],
    },
    {
      input: [
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      ],
    },
    { input: said({ type: 'output_text', text: 'It is' }, { type: 'refusal', refusal: 'No.' }) },
    {
      input: [
        { role: 'user', content: say },
        { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm' }] },
        { role: 'assistant', content: 'It is' },
      ],
    },
    {
      input: [
        { role: 'user', content: say },
        { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png },
        { role: 'user', content: 'And?' },
      ],
    },
    {
      input: [{ type: 'agent_message', author: 'a', recipient: 'b', content: [{ type: 'text', text: say }] }],
    },
    {
      input: [
        { role: 'user', content: say },
        { type: 'configuration_update', text: { verbosity: 'low' }, reasoning: { context: 'all_turns' } },
      ],
    },
  ],
  'anthropic-messages': [
    { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    { thinking: { type: 'adaptive' } },
    { output_config: {} },
    { system: [{ type: 'text', text: 'Be brief' }] },
    ...(['any', 'auto', 'none'] as const).map((type) => ({
      tools: [{ name: 'f', input_schema: schema }],
      tool_choice: { type },
    })),
    {
      messages: [
        { role: 'user', content: say },
        { role: 'system', content: 'Be brief', output_config: {} },
      ],
    },
    {
      messages: [
        { role: 'user', content: say },
        {
          role: 'system',
          content: [
            { type: 'tool_addition', tool: { definition: { name: 'g', input_schema: schema } } },
            { type: 'tool_removal', tool: { name: 'f' } },
          ],
        },
      ],
      tools: [
        { name: 'f', input_schema: schema },
        { type: 'custom', name: 'h', input_schema: schema },
      ],
    },
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: say },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
            { type: 'search_result', source: 'a', title: 'b', content: [{ type: 'text', text: 'c' }] },
            { type: 'tool_reference', tool_name: 'f' },
          ],
        },
      ],
    },
    { messages: said({ type: 'text', text: 'It is' }, { type: 'compaction', content: 'So far' }) },
  ],
  gemini: [
    { generationConfig: { thinkingConfig: {} } },
    { generationConfig: { temperature: 0.3 } },
    { metadata: { task_id: 7 } },
  ],
};
