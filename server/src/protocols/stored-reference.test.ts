import { describe, expect, it } from 'vitest';
import { findStoredReference } from './stored-reference.ts';

describe('what the provider keeps is found', () => {
  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1', input: 'Hello' }],
    ['conversation', { conversation: { id: 'conv_1' }, input: 'Hello' }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['container', { container: 'cntr_1', messages: [] }],
    ['cachedContent', { cachedContent: 'cachedContents/1', contents: [] }],
    ['item_reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['file_id', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }],
    ['file_id', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file_1' } }] }] }],
    ['fileUri', { contents: [{ parts: [{ fileData: { fileUri: 'https://files/1' } }] }] }],
    ['vector_store_ids', { input: 'Hello', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['container', { input: 'Hello', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
  ])('as %s', (name, body) => {
    expect(findStoredReference(body)).toBe(name);
  });
});

it('what travels with the request, or is made for it, is none', () => {
  const body = {
    previous_response_id: null,
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'the file_id of my container' }] }],
    tools: [
      { type: 'function', name: 'f', parameters: { properties: { id: { type: 'string' } } } },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
  };
  expect(findStoredReference(body)).toBeNull();
});

it('the names of a tool parameter are not taken for references', () => {
  const parameters = { properties: { file_id: { type: 'string' } } };
  const body = { messages: [], tools: [{ type: 'function', function: { name: 'read', parameters } }] };
  expect(findStoredReference(body)).toBeNull();
});

it('nor are those that a model wrote into a call', () => {
  const call = { type: 'tool_use', id: 't', name: 'read', input: { file_id: 'mine' } };
  expect(findStoredReference({ messages: [{ role: 'assistant', content: [call] }] })).toBeNull();
});
