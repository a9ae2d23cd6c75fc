import { parseExactly } from './exact-json.ts';

/** A call's arguments as JSON text: none are an empty object, however a model writes that (protocol note T5). */
export function fillArguments(json: string): string {
  return json.trim() === '' || json === 'null' ? '{}' : json;
}

/** Arguments as the object that a wire demands. What a model wrote wrongly is wrapped, so that it can be told so. */
export function readArguments(json: string): unknown {
  const text = json.trim();
  if (text === '' || text === 'null') return {};
  try {
    const value = parseExactly(text);
    return text.startsWith('{') ? value : { value };
  } catch {
    return { invalid_arguments: json };
  }
}
