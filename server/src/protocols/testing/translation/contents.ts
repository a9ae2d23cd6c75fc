import { type Feature, png, say } from './feature.ts';

const pdf = 'JVBERi0xLjQ=';
const wav = 'UklGRg==';
const address = 'https://example.com/a.png';

const chatRequest = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const responsesRequest = (...content: object[]) => ({ input: [{ role: 'user', content }] });
const messagesRequest = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const geminiRequest = (...parts: object[]) => ({ contents: [{ role: 'user', parts }] });

export const contents: readonly Feature[] = [
  {
    name: 'system text',
    fields: {
      'openai-chat': {
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: say },
        ],
      },
      'openai-responses': { instructions: 'Be brief' },
      'anthropic-messages': { system: 'Be brief' },
      gemini: { systemInstruction: { parts: [{ text: 'Be brief' }] } },
    },
  },
  {
    name: 'system text within the conversation',
    fields: {
      'openai-chat': {
        messages: [
          { role: 'user', content: say },
          { role: 'developer', content: 'Be brief' },
          { role: 'user', content: 'And?' },
        ],
      },
      'openai-responses': {
        input: [
          { role: 'user', content: say },
          { role: 'developer', content: 'Be brief' },
          { role: 'user', content: 'And?' },
        ],
      },
    },
  },
  {
    name: 'image as data',
    fields: {
      'openai-chat': chatRequest({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }),
      'openai-responses': responsesRequest({
        type: 'input_image',
        image_url: `data:image/png;base64,${png}`,
      }),
      'anthropic-messages': messagesRequest({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: png },
      }),
      gemini: geminiRequest({ inlineData: { mimeType: 'image/png', data: png } }),
    },
  },
  {
    name: 'image by URL',
    fields: {
      'openai-chat': chatRequest({ type: 'image_url', image_url: { url: address } }),
      'openai-responses': responsesRequest({ type: 'input_image', image_url: address }),
      'anthropic-messages': messagesRequest({ type: 'image', source: { type: 'url', url: address } }),
      gemini: geminiRequest({ fileData: { mimeType: 'image/png', fileUri: address } }),
    },
  },
  {
    name: 'PDF as data',
    fields: {
      'openai-chat': chatRequest({
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      }),
      'openai-responses': responsesRequest({
        type: 'input_file',
        filename: 'a.pdf',
        file_data: `data:application/pdf;base64,${pdf}`,
      }),
      'anthropic-messages': messagesRequest({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: pdf },
      }),
      gemini: geminiRequest({ inlineData: { mimeType: 'application/pdf', data: pdf } }),
    },
  },
  {
    name: 'audio as data',
    fields: {
      'openai-chat': chatRequest({ type: 'input_audio', input_audio: { format: 'wav', data: wav } }),
      gemini: geminiRequest({ inlineData: { mimeType: 'audio/wav', data: wav } }),
    },
  },
  {
    name: 'uploaded file by id',
    fields: {
      'openai-chat': chatRequest({ type: 'file', file: { file_id: 'file-1' } }),
      'openai-responses': responsesRequest({ type: 'input_file', file_id: 'file-1' }),
      'anthropic-messages': messagesRequest({
        type: 'document',
        source: { type: 'file', file_id: 'file-1' },
      }),
    },
  },
];
