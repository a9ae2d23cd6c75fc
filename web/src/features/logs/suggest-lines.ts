import { admittedLogs, intentNames, logQueryFields, logStatuses } from '@sluice/contract';

/**
 * Returns query lines that complete the typed one: fields that start with its last word, or values of its field.
 * @param models models seen in the log
 */
export function suggestLines(line: string, models: readonly string[]): readonly string[] {
  const start = line.slice(0, line.lastIndexOf(' ') + 1);
  const word = line.slice(start.length);
  if (isInQuotes(line)) return [];
  const field = [...logQueryFields.keys()].find((name) => word.startsWith(name));
  if (field === undefined) {
    return [...logQueryFields.keys()].filter((name) => name.startsWith(word)).map((name) => start + name);
  }
  const typed = word.slice(field.length).toLowerCase();
  const values = valuesOf(field, models).filter((value) => value.toLowerCase().startsWith(typed));
  return values.map((value) => `${start}${field}${/\s/.test(value) ? `"${value}"` : value} `);
}

const isInQuotes = (line: string) => line.replaceAll(/\\./g, '').split('"').length % 2 === 0;

function valuesOf(field: string, models: readonly string[]): readonly string[] {
  if (field === 'status:') return [...logStatuses, admittedLogs];
  if (field === 'intent:') return intentNames;
  return field === 'model:' ? models : [];
}
