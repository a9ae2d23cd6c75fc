import type { ProtocolId } from '#protocols/canonical/content.ts';

/** Reasoning in chat completions, in vLLM's format, since OpenAI's own chat completions return none. */
const thought = 'The note must be read before its bird is named.';

/** Prefix of OpenAI's encrypted reasoning. The sandbox uses another format. */
const openaiPrefix = 'gAAAA';

export function toSandbox(protocol: ProtocolId, body: string): string {
  if (protocol === 'openai-responses')
    return body.replaceAll(`"encrypted_content":"${openaiPrefix}`, '"encrypted_content":"');
  if (protocol !== 'openai-chat' || !body.includes('"reasoning_content"')) return body;
  const request = JSON.parse(body);
  for (const message of request.messages) delete message.reasoning_content;
  return JSON.stringify(request);
}

export function toVendor(protocol: ProtocolId, text: string, thinks: boolean): string {
  if (protocol === 'openai-responses')
    return text.replaceAll('"encrypted_content":"', `"encrypted_content":"${openaiPrefix}`);
  if (protocol !== 'openai-chat' || !thinks) return text;
  if (text.startsWith('data: ')) return addToStream(text);
  const answer = JSON.parse(text);
  answer.choices[0].message.reasoning_content = thought;
  return JSON.stringify(answer);
}

function addToStream(text: string): string {
  const [first = ''] = text.split('\n\n');
  const { id, object, created, model } = JSON.parse(first.replace(/^data: /, ''));
  const choices = [
    { index: 0, delta: { role: 'assistant', reasoning_content: thought }, finish_reason: null },
  ];
  return `data: ${JSON.stringify({ id, object, created, model, choices })}\n\n${text}`;
}
