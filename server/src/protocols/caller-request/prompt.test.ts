import { describe, expect, it } from 'vitest';
import type { Prompt } from '../canonical/prompt.ts';
import { readPrompt } from './prompt.ts';

const read = (kind: Parameters<typeof readPrompt>[1], value: Record<string, unknown>): Prompt =>
  readPrompt({ value }, kind);
const user = (content: unknown) => ({ role: 'user', content });
const png = `data:image/png;base64,${'A'.repeat(50_000)}`;

describe('readPrompt', () => {
  it('readPrompt reads texts, but not field names or settings', () => {
    const body = {
      model: 'm',
      temperature: 0.5,
      max_tokens: 5,
      stream: true,
      stream_options: { include_usage: true },
      metadata: { user_id: 'user_1' },
      messages: [
        user('Hello'),
        user([{ type: 'text', text: 'there', cache_control: { type: 'ephemeral' } }]),
      ],
    };
    const prompt = read('openai-chat', body);
    expect(prompt).toEqual({
      texts: ['Hello', 'there'],
      media: [],
      sealedLetters: 0,
      pieces: 2,
      hasTools: false,
      tokens: 0,
    });
    expect(read('anthropic-messages', body)).toEqual(prompt);
  });

  it.each<[kind: Parameters<typeof readPrompt>[1], body: Record<string, unknown>, texts: string[]]>([
    [
      'openai-responses',
      { instructions: 'Be kind', input: 'Hello', text: { verbosity: 'low' } },
      ['Be kind', 'Hello'],
    ],
    [
      'openai-responses',
      { input: [{ type: 'function_call_output', call_id: 'c', output: 'sunny' }] },
      ['sunny'],
    ],
    [
      'gemini',
      {
        system_instruction: { parts: [{ text: 'Be kind' }] },
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        generation_config: { max_output_tokens: 5 },
      },
      ['Be kind', 'Hello'],
    ],
    [
      'anthropic-messages',
      {
        system: 'Be kind',
        messages: [user([{ type: 'document', source: { type: 'text', data: 'Hello' } }])],
      },
      ['Be kind', 'Hello'],
    ],
    ['embeddings', { input: ['Hello', 'there'], encoding_format: 'float' }, ['Hello', 'there']],
  ])('readPrompt finds text in %s: %j', (kind, body, texts) => {
    expect(read(kind, { model: 'm', ...body }).texts).toEqual(texts);
  });

  it('readPrompt reads unknown fields with their names at any depth', () => {
    const unknown = { anything: { deep: ['words', 7] } };
    expect(read('gemini', { contents: [], ...unknown }).texts).toEqual(['anything', '{"deep":["words",7]}']);
    expect(read('anthropic-messages', { messages: [user([{ type: 'text', ...unknown }])] }).texts).toEqual([
      'anything',
      '{"deep":["words",7]}',
    ]);
  });

  it('readPrompt reads settings and ids that exceed their maximum length as text', () => {
    const long = 'x'.repeat(1_000);
    expect(read('openai-chat', { model: 'm', user: long, messages: [] }).texts).toEqual([long]);
    expect(read('openai-chat', { metadata: { note: long }, messages: [] }).texts).toEqual([
      JSON.stringify({ note: long }),
    ]);
  });

  it('readPrompt records media with kind and length in media fields', () => {
    const data = 'A'.repeat(50_000);
    const base64 = (media_type: string) => ({ type: 'base64', media_type, data });
    const media = [
      read('openai-chat', { messages: [user([{ type: 'image_url', image_url: { url: png } }])] }),
      read('openai-chat', {
        messages: [user([{ type: 'input_audio', input_audio: { data, format: 'mp3' } }])],
      }),
      read('openai-responses', { input: [user([{ type: 'input_image', image_url: png }])] }),
      read('openai-responses', { input: [user([{ type: 'input_image', file_id: 'file_1' }])] }),
      read('anthropic-messages', { messages: [user([{ type: 'image', source: base64('image/png') }])] }),
      read('anthropic-messages', {
        messages: [user([{ type: 'document', source: base64('application/pdf') }])],
      }),
      read('gemini', { contents: [{ parts: [{ inline_data: { mime_type: 'video/mp4', data } }] }] }),
      read('gemini', { contents: [{ parts: [{ fileData: { mimeType: 'audio/mp3', fileUri: 'gs://f' } }] }] }),
    ].map((prompt) => ({ ...prompt.media[0], texts: prompt.texts }));
    expect(media).toEqual([
      { kind: 'image', letters: png.length, texts: [] },
      { kind: 'audio', letters: 50_000, texts: [] },
      { kind: 'image', letters: png.length, texts: [] },
      { kind: 'image', letters: null, texts: [] },
      { kind: 'image', letters: 50_000, texts: [] },
      { kind: 'document', letters: 50_000, texts: [] },
      { kind: 'video', letters: 50_000, texts: [] },
      { kind: 'audio', letters: null, texts: [] },
    ]);
  });

  it.each<[kind: Parameters<typeof readPrompt>[1], part: object, media: 'audio' | 'video']>([
    ['openai-chat', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'audio'],
    ['openai-chat', { type: 'audio_url', audio_url: { url: 'https://example.com/1' } }, 'audio'],
    ['openai-chat', { type: 'video_url', video_url: { url: 'https://example.com/1' } }, 'video'],
    ['openai-chat', { type: 'video_url', video_url: 'https://example.com/1' }, 'video'],
    ['openai-chat', { type: 'input_video', input_video: { data: 'data:video/mp4;base64,AA' } }, 'video'],
    ['openai-chat', { type: 'image_url', image_url: { url: 'data:video/mp4;base64,AA' } }, 'video'],
    ['openai-chat', { type: 'image_url', image_url: { url: 'https://example.com/a.webm?b' } }, 'video'],
    ['openai-chat', { type: 'file', file: { file_data: 'data:audio/wav;base64,AA' } }, 'audio'],
    ['openai-chat', { type: 'document_url', document_url: 'https://example.com/a.MP3' }, 'audio'],
    ['openai-responses', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }, 'audio'],
    ['openai-responses', { type: 'input_file', file_data: 'data:audio/mp3;base64,AA' }, 'audio'],
    ['openai-responses', { type: 'input_file', file_url: 'https://example.com/a.flac' }, 'audio'],
    ['openai-responses', { type: 'input_image', image_url: 'https://example.com/a.mov' }, 'video'],
    [
      'anthropic-messages',
      { type: 'document', source: { type: 'base64', media_type: 'audio/wav', data: 'AA' } },
      'audio',
    ],
    [
      'anthropic-messages',
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.ogg' } },
      'audio',
    ],
    ['gemini', { inlineData: { mimeType: 'audio/wav', data: 'AA' } }, 'audio'],
    ['gemini', { inline_data: { mime_type: 'video/mp4', data: 'AA' } }, 'video'],
    ['gemini', { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/1' } }, 'video'],
    ['gemini', { fileData: { fileUri: 'https://example.com/a.mkv' } }, 'video'],
  ])('readPrompt records the media of a %s request with the part %j as %s', (kind, part, media) => {
    const bodies = {
      gemini: { contents: [{ parts: [part] }] },
      'openai-responses': { input: [user([part])] },
    };
    // safe because the name is one of the object's keys
    const body = kind in bodies ? bodies[kind as keyof typeof bodies] : { messages: [user([part])] };
    expect(read(kind, body).media.map((one) => one.kind)).toEqual([media]);
  });

  it('readPrompt reads media-like values in arguments, schemas and unknown fields as text', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'words' } };
    const call = { type: 'tool_use', id: 't', name: 'f', input: image };
    const tool = { name: 'f', input_schema: image };
    const asText = JSON.stringify(image);
    const prompt = read('anthropic-messages', { messages: [user([call])], tools: [tool], more: image });
    expect(prompt.media).toEqual([]);
    expect(prompt.texts).toEqual(['f', asText, 'f', asText, 'more', asText]);
    expect([prompt.hasTools, prompt.pieces]).toEqual([true, 2]);
  });

  it('readPrompt counts a thinking signature by length and token inputs individually', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 'A'.repeat(400) };
    expect(read('anthropic-messages', { messages: [user([thinking])] })).toMatchObject({
      texts: ['Hm'],
      sealedLetters: 400,
    });
    expect(read('embeddings', { model: 'm', input: [[1, 2, 3], [4]] })).toMatchObject({
      texts: [],
      tokens: 4,
    });
  });

  it('readPrompt does not throw on values of unexpected shapes', () => {
    const odd = [null, 7, 'words', [], [[null]], { role: 5, content: { parts: [{}] } }];
    for (const messages of odd)
      for (const tools of odd) {
        for (const kind of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)
          read(kind, { messages, input: messages, contents: messages, tools });
      }
  });
});
