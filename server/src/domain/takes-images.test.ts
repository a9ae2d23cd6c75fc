import { expect, it } from 'vitest';
import { takesImages } from './takes-images.ts';

it.each([
  'gpt-4o-mini',
  'gpt-5.1',
  'openai/o3',
  'claude-sonnet-4-5',
  'anthropic.claude-3-7-sonnet',
  'models/gemini-2.5-flash',
  'pixtral-12b',
  'meta-llama/Llama-4-Scout',
  'llama-3.2-90b-vision-preview',
  'Qwen/Qwen2.5-VL-72B-Instruct',
  'qwen3-vl',
  'grok-4',
  'llava:7b',
])('takesImages is true for %s', (model) => expect(takesImages(model)).toBe(true));

it.each([
  'gpt-3.5-turbo',
  'gpt-4',
  'o3-mini',
  'gpt-4o-audio-preview',
  'gemini-embedding-001',
  'claude-2.1',
  'deepseek-chat',
  'llama-3.3-70b-versatile',
  'command-r-plus',
  'sandbox-normal',
  'my-model',
])('takesImages is false for %s', (model) => expect(takesImages(model)).toBe(false));
