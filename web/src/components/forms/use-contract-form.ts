import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { ApiError, type FieldProblem } from '@sluice/contract';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { z } from 'zod';
import { messageOf } from '#lib/describe-failure.ts';

export interface PlacedProblems {
  /** Contains the first problem of each field. */
  byPath: Record<string, string>;
  /** Problems that do not belong to a field. */
  unplaced: string[];
}

const partsOfRequest = new Set<string | number>(['body', 'form', 'query', 'params']);

/**
 * Assigns each problem to the field that it names, or to the nearest containing field, for example to a list for a
 * problem of its entry.
 */
export function placeProblems(
  problems: readonly FieldProblem[],
  hasField: (path: string) => boolean,
): PlacedProblems {
  const placed: PlacedProblems = { byPath: {}, unplaced: [] };
  for (const { loc, msg } of problems) {
    const path = findField(loc, hasField);
    if (path === undefined) placed.unplaced.push(msg);
    else placed.byPath[path] ??= msg;
  }
  return placed;
}

function findField(loc: FieldProblem['loc'], hasField: (path: string) => boolean): string | undefined {
  const steps = loc[0] !== undefined && partsOfRequest.has(loc[0]) ? loc.slice(1) : loc;
  const paths = steps.map((_, index) => steps.slice(0, steps.length - index).join('.'));
  return paths.find(hasField);
}

interface ContractFormOptions<Values, Schema extends z.ZodType> {
  /** Request body schema of the contract, so that client and server show the same messages. */
  schema: Schema;
  /** Initial values by field name. `null` and missing values are empty. */
  initialValues: Values;
}

type MantineForm<Values> = UseFormReturnType<Values>;

export interface ContractForm<Values, Body> {
  readonly values: Values;
  /** Binds a field to its value and error: `<TextField label="Email" {...form.bind('email')} />`. */
  bind: MantineForm<Values>['getInputProps'];
  /** Same as `bind`, for a switch or checkbox. */
  bindChecked: (path: Parameters<MantineForm<Values>['getInputProps']>[0]) => CheckedProps;
  setValue: MantineForm<Values>['setFieldValue'];
  readonly isDirty: boolean;
  readonly isPending: boolean;
  readonly problem: string | null;
  reset: () => void;
  /** Validates the values and shows errors. Saves once even if the button is pressed repeatedly. */
  submit: (save: (body: Body) => Promise<unknown>, fallbackProblem?: string) => (event: FormEvent) => void;
}

interface CheckedProps {
  checked: boolean;
  error?: string;
  onChange: (event: { currentTarget: { checked: boolean } }) => void;
}

export function useContractForm<Values extends Record<string, unknown>, Schema extends z.ZodType>({
  schema,
  initialValues,
}: ContractFormOptions<Values, Schema>): ContractForm<Values, z.output<Schema>> {
  const form = useForm<Values>({
    // Mantine accepts only letters, digits and dashes in the name.
    name: useId().replaceAll('_', '-'),
    initialValues,
    validate: validateFields<Values>(schema),
  });
  const { problem, submit } = useSubmit(form, schema);

  return {
    values: form.values,
    bind: form.getInputProps,
    // safe because Mantine returns exactly these props for the type "checkbox"
    bindChecked: (path) => form.getInputProps(path, { type: 'checkbox' }) as CheckedProps,
    setValue: form.setFieldValue,
    isDirty: form.isDirty(),
    isPending: form.submitting,
    problem,
    reset: form.reset,
    submit,
  };
}

/**
 * Reports each problem at the input that contains the invalid value, for example the problem of a network at the list
 * of networks.
 */
function validateFields<Values extends Record<string, unknown>>(schema: z.ZodType) {
  const validate = schemaResolver(schema, { sync: true });
  return (values: Values): Record<string, ReactNode> => {
    const placed: Record<string, ReactNode> = {};
    for (const [path, problem] of Object.entries(validate(values)))
      placed[findInput(path, values)] ??= problem;
    return placed;
  };
}

/** Returns the part of a path that identifies an input. All entries of a text list share one input. */
export function findInput(path: string, values: object): string {
  const steps = path.split('.');
  let value: unknown = values;
  for (const [index, step] of steps.entries()) {
    const entry: unknown = isFields(value) ? value[step] : undefined;
    if (!isFields(value) || (Array.isArray(value) && !isFields(entry)))
      return steps.slice(0, index).join('.');
    value = entry;
  }
  return path;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

type Submit<Body> = ContractForm<unknown, Body>['submit'];

function useSubmit<Values extends Record<string, unknown>, Schema extends z.ZodType>(
  form: MantineForm<Values>,
  schema: Schema,
): { problem: string | null; submit: Submit<z.output<Schema>> } {
  const [failure, setFailure] = useState<{ text: string; values: Values } | null>(null);
  // A problem belongs to the values that were sent, and disappears when one of them changes.
  const problem = failure?.values === form.values ? failure.text : null;
  const setProblem = (text: string) => setFailure({ text, values: form.getValues() });
  const isSaving = useRef(false);
  const focusFirstInvalid = useFocusOfFirstInvalid(form);

  const showFailure = (error: unknown, fallback: string | undefined) => {
    const problems = error instanceof ApiError && error.status === 422 ? error.fieldProblems : [];
    const { byPath, unplaced } = placeProblems(problems, (path) => form.getInputNode(path) !== null);
    form.setErrors(byPath);
    if (Object.keys(byPath).length > 0) focusFirstInvalid();
    if (problems.length === 0) setProblem(messageOf(error, fallback));
    else if (unplaced.length > 0) setProblem(unplaced.join(', '));
  };

  const save = async (send: (body: z.output<Schema>) => Promise<unknown>, fallback: string | undefined) => {
    isSaving.current = true;
    form.setSubmitting(true);
    try {
      await send(schema.parse(form.getValues()));
      form.resetDirty();
    } catch (error) {
      showFailure(error, fallback);
    } finally {
      isSaving.current = false;
      form.setSubmitting(false);
    }
  };

  const submit: Submit<z.output<Schema>> = (send, fallback) => (event) => {
    event.preventDefault();
    if (isSaving.current) return;
    setFailure(null);
    const { hasErrors, errors } = form.validate();
    if (!hasErrors) return void save(send, fallback);
    focusFirstInvalid();
    const unshown = Object.keys(errors).filter((path) => form.getInputNode(path) === null);
    if (unshown.length > 0) setProblem(unshown.map((path) => String(errors[path])).join(', '));
  };
  return { problem, submit };
}

/**
 * Returns a function that focuses the first invalid field. The focus moves after the error is rendered, so that
 * screen readers announce field and error.
 */
function useFocusOfFirstInvalid<Values>(form: MantineForm<Values>): () => void {
  const [requestCount, setRequestCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request, with the errors of its render
  useEffect(() => {
    const nodes = Object.keys(form.errors).map((path) => form.getInputNode<HTMLElement, string>(path));
    const [first] = nodes.filter((node) => node !== null).sort(byPlace);
    first?.focus();
  }, [requestCount]);

  return () => setRequestCount((count) => count + 1);
}

const byPlace = (one: Node, other: Node) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
