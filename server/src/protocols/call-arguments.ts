/** A call's arguments as JSON text: none are an empty object, however a model writes that (protocol note T5). */
export function fillArguments(json: string): string {
  return json.trim() === '' || json === 'null' ? '{}' : json;
}
