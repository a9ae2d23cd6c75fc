import { Button, TextInput } from '@mantine/core';
import { ApiError, type TenantSettings, updateSettingsBody } from '@sluice/contract';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { useUnsavedGuard } from '../../components/forms/use-unsaved-guard.ts';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './form.module.css';
import { useSaveSettings } from './queries.ts';
import { SettingsSection } from './section.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

/** The tenant's settings; only what was changed is sent. */
export function SettingsForm({ saved }: { saved: TenantSettings }) {
  const { shown, problems, change, submit, ...saving } = useSettingsForm(saved);
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <SettingsSection title="Tenant" text="Shown to everybody in this tenant.">
        <TextInput
          label="Name"
          value={shown.name}
          error={problems.name}
          onChange={(event) => change('name', event.currentTarget.value)}
        />
      </SettingsSection>
      <SettingsSection
        title="Days and months"
        text="Daily and monthly quotas reset at midnight in this zone. Logs and reports use its dates."
      >
        <TimeZoneField
          value={shown.time_zone}
          error={problems.time_zone}
          onChange={(zone) => change('time_zone', zone)}
        />
      </SettingsSection>
      <SaveBar {...saving} />
    </form>
  );
}

function useSettingsForm(saved: TenantSettings) {
  const [changes, setChanges] = useState<Partial<TenantSettings>>({});
  const save = useSaveSettings();
  const isDirty = Object.keys(changes).length > 0;
  useUnsavedGuard(isDirty, save.isPending);

  const change = (field: keyof TenantSettings, value: string) => {
    save.reset();
    const { [field]: _, ...others } = changes;
    setChanges(value === saved[field] ? others : { ...others, [field]: value });
  };
  const onDiscard = () => {
    save.reset();
    setChanges({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(findProblems(changes)).length > 0) return;
    save.mutate(changes, {
      onSuccess: () => {
        setChanges({});
        showSuccess('Settings saved');
      },
    });
  };
  return {
    shown: { ...saved, ...changes },
    problems: { ...findProblems(changes), ...refusedFields(save.error) },
    problem: problemOf(save.error),
    isDirty,
    isSaving: save.isPending,
    change,
    onDiscard,
    submit,
  };
}

interface SaveBarProps {
  isDirty: boolean;
  isSaving: boolean;
  problem: string | undefined;
  onDiscard: () => void;
}

function SaveBar({ isDirty, isSaving, problem, onDiscard }: SaveBarProps) {
  return (
    <div className={styles.actions}>
      <Button type="submit" disabled={!isDirty || isSaving}>
        {isSaving ? 'Saving...' : 'Save changes'}
      </Button>
      <Button variant="default" disabled={!isDirty || isSaving} onClick={onDiscard}>
        Discard
      </Button>
      <div role="status">{isDirty && !isSaving && problem === undefined && 'Not saved yet'}</div>
      <div role="alert">{problem !== undefined && <StatusMark kind="bad">{problem}</StatusMark>}</div>
    </div>
  );
}

type FieldProblems = { readonly [Field in keyof TenantSettings]?: string | undefined };

function findProblems(changes: Partial<TenantSettings>): FieldProblems {
  const checked = updateSettingsBody.safeParse(changes);
  if (checked.success) return {};
  const { fieldErrors } = z.flattenError(checked.error);
  return { name: fieldErrors.name?.[0], time_zone: fieldErrors.time_zone?.[0] };
}

/** What the server has against single fields. */
function refusedFields(error: Error | null): FieldProblems {
  const problems = error instanceof ApiError ? error.fieldProblems : [];
  return Object.fromEntries(problems.map(({ loc, msg }) => [loc.at(-1), msg]));
}

/** What kept the settings from being saved, where no field says it. */
function problemOf(error: Error | null): string | undefined {
  if (error === null || Object.keys(refusedFields(error)).length > 0) return undefined;
  return `Settings were not saved: ${messageOf(error, 'the gate cannot be reached')}`;
}
