import { ApiError, type TenantSettings, updateSettingsBody } from '@sluice/contract';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { useUnsavedGuard } from '#components/forms/form.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { explain } from '#lib/describe-failure.ts';
import { useSaveSettings } from './queries.ts';

/** An empty number field is an empty string. */
export type SettingsDraft = { [Field in keyof TenantSettings]: TenantSettings[Field] | string };
type Changes = Partial<SettingsDraft>;
type FieldProblems = { readonly [Field in keyof TenantSettings]?: string | undefined };

export interface SettingsFields {
  shown: SettingsDraft;
  problems: FieldProblems;
  /** By field path, for example `thresholds.high`. */
  policyProblems: Readonly<Record<string, string>>;
  change: <Field extends keyof TenantSettings>(field: Field, value: SettingsDraft[Field]) => void;
}

export function useSettingsForm(saved: TenantSettings) {
  const [changes, setChanges] = useState<Changes>({});
  const save = useSaveSettings();
  const isDirty = Object.keys(changes).length > 0;
  useUnsavedGuard(isDirty, save.isPending);

  const change: SettingsFields['change'] = (field, value) => {
    save.reset();
    const { [field]: _, ...others } = changes;
    const isAsSaved = JSON.stringify(value) === JSON.stringify(saved[field]);
    setChanges(isAsSaved ? others : { ...others, [field]: value });
  };
  const onDiscard = () => {
    save.reset();
    setChanges({});
  };
  const shown: SettingsDraft = { ...saved, ...changes };
  const checked = updateSettingsBody.safeParse(withoutBlankModels(changes));
  const problems = { ...findProblems(checked), ...findDisorder(shown) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!checked.success || Object.keys(problems).length > 0) return focusFirstInvalid(event.target);
    save.mutate(checked.data, {
      onSuccess: () => {
        setChanges({});
        showSuccess('Settings saved');
      },
    });
  };
  return {
    fields: {
      shown,
      change,
      problems: { ...problems, ...refusedFields(save.error) },
      policyProblems: findPolicyProblems(checked),
    },
    problem: problemOf(save.error),
    isDirty,
    isSaving: save.isPending,
    onDiscard,
    submit,
  };
}

function withoutBlankModels({ trusted_models: models, ...changes }: Changes): object {
  if (!Array.isArray(models)) return changes;
  return { ...changes, trusted_models: models.filter((name) => name.trim() !== '') };
}

function findProblems(checked: ReturnType<typeof updateSettingsBody.safeParse>): FieldProblems {
  if (checked.success) return {};
  const { fieldErrors } = z.flattenError(checked.error);
  return Object.fromEntries(Object.entries(fieldErrors).map(([field, messages]) => [field, messages?.[0]]));
}

function findPolicyProblems({
  error,
}: ReturnType<typeof updateSettingsBody.safeParse>): Readonly<Record<string, string>> {
  const issues = error?.issues.filter(({ path }) => path[0] === 'deviation_policy') ?? [];
  return Object.fromEntries(
    issues.map(({ path, message }) => [path.slice(1).join('.'), message]).toReversed(),
  );
}

function focusFirstInvalid(form: EventTarget): void {
  if (form instanceof Element) form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function findDisorder({ retention_days, body_retention_days }: SettingsDraft): FieldProblems {
  return Number(body_retention_days) > Number(retention_days) && retention_days !== ''
    ? { body_retention_days: 'Prompts and answers cannot be kept longer than their log rows' }
    : {};
}

function refusedFields(error: Error | null): FieldProblems {
  const problems = error instanceof ApiError ? error.fieldProblems : [];
  return Object.fromEntries(problems.map(({ loc, msg }) => [loc.at(-1), msg]));
}

/** Returns `undefined` if the error belongs to fields. */
function problemOf(error: Error | null): string | undefined {
  if (error === null || Object.keys(refusedFields(error)).length > 0) return undefined;
  return explain('Settings were not saved', error);
}
