import {
  type LabelSource,
  type Labels,
  labelHeaderLengthMax,
  labelName,
  labelSet,
  labelSources,
  labelsMax,
  splitLabel,
} from '@sluice/contract';

/** Labels of a request by source; absent or `null` if a source has no labels. */
export type SourcedLabels = { readonly [Source in LabelSource]?: Labels | null | undefined };

/**
 * Merges labels in the order of `labelSources`. Returns the labels sorted by name, so that equal sets have equal
 * JSON; `null` if there are no labels.
 */
export function mergeLabels(sources: SourcedLabels): Labels | null {
  if (!labelSources.some((source) => sources[source])) return null;
  const merged = new Map<string, string>();
  for (const source of labelSources)
    for (const [name, value] of Object.entries(sources[source] ?? {})) merged.set(name, value);
  if (merged.size === 0) return null;
  return Object.fromEntries([...merged].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type ParsedLabels =
  | { readonly ok: true; readonly labels: Labels }
  | { readonly ok: false; readonly problem: string };

const invalid = (problem: string): ParsedLabels => ({ ok: false, problem });

/** Parses labels in a header, such as `cost_center=4711, project=x`. Returns problems as sentences. */
export function parseLabelHeader(text: string): ParsedLabels {
  if (text.length > labelHeaderLengthMax)
    return invalid(`It has ${text.length} characters, and at most ${labelHeaderLengthMax} are allowed.`);
  if (!/^[\x20-\x7e\t]*$/.test(text)) return invalid('It must contain ASCII characters only.');
  const labels: Record<string, string> = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const { name, value } = splitLabel(part);
    if (value === null) return invalid(`'${name}' has no value; labels have the form name=value.`);
    const [issue] = labelName.safeParse(name).error?.issues ?? [];
    if (issue) return invalid(`The label '${name}' is invalid. ${issue.message}.`);
    if (Object.hasOwn(labels, name)) return invalid(`The label '${name}' appears twice.`);
    labels[name] = value;
  }
  const count = Object.keys(labels).length;
  if (count > labelsMax) return invalid(`It has ${count} labels, and at most ${labelsMax} are allowed.`);
  const parsed = labelSet.safeParse(labels);
  if (parsed.success) return { ok: true, labels: parsed.data };
  const [issue] = parsed.error.issues;
  const [name] = issue?.path ?? [];
  return invalid(`The label '${String(name)}' is invalid. ${issue?.message ?? ''}.`);
}
