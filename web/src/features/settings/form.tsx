import { Button, TextInput } from '@mantine/core';
import type { TenantSettings } from '@sluice/contract';
import { TimeZoneField } from '../../components/forms/time-zone-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { AnswerSections } from './answer-sections.tsx';
import styles from './form.module.css';
import { PromptSections } from './prompt-sections.tsx';
import { SettingsSection } from './section.tsx';
import { useSettingsForm } from './use-settings-form.ts';

/** Form of the tenant's settings; sends changed fields only. */
export function SettingsForm({ saved }: { saved: TenantSettings }) {
  const { fields, submit, ...saving } = useSettingsForm(saved);
  const { shown, problems, change } = fields;
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
          onChange={(zone) => zone !== null && change('time_zone', zone)}
        />
      </SettingsSection>
      <PromptSections timeZone={saved.time_zone} {...fields} />
      <AnswerSections {...fields} />
      <SaveBar {...saving} />
    </form>
  );
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
