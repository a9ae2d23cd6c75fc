import { Button, TextInput } from '@mantine/core';
import type { TenantSettings } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { TimeZoneField } from '#components/forms/time-zone-field.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { QuotaFields } from '#features/access-setup/index.ts';
import { PolicyFields } from '#features/governance/index.ts';
import { currentUserQuery } from '#lib/session.ts';
import styles from './form.module.css';
import { PromptSections } from './prompt-sections.tsx';
import { SettingsSection } from './section.tsx';
import { UnpricedSection } from './unpriced-section.tsx';
import { type SettingsFields, useSettingsForm } from './use-settings-form.ts';

export function AnswerSections(fields: SettingsFields) {
  const text = `${describeCap(fields.shown)} Prompts with an uncertain intent are sent to trusted models only.`;
  return (
    <>
      <SettingsSection title="Answers" text={text}>
        <BoundFields {...fields} />
      </SettingsSection>
      <SettingsSection
        title="Markup"
        text="Added to the cost of models that are paid with credits. It is the same for all tenants."
      >
        <MarkupField {...fields} />
      </SettingsSection>
    </>
  );
}

const describeCap = ({ max_output_tokens: cap }: SettingsFields['shown']) =>
  cap === null
    ? 'Without a cap, answers are as long as the model allows.'
    : 'The cap limits requests for longer answers and requests that set no length.';

function BoundFields({ shown, problems, change }: SettingsFields) {
  const models = Array.isArray(shown.trusted_models) ? shown.trusted_models.join('\n') : '';
  return (
    <>
      <NumberField
        label="Longest answer"
        unit="tokens"
        placeholder="No cap"
        emptyMeans="unlimited"
        value={shown.max_output_tokens}
        error={problems.max_output_tokens}
        onChange={(tokens) => change('max_output_tokens', tokens ?? null)}
      />
      <TextAreaField
        label="Trusted models for uncertain prompts"
        placeholder="All models"
        autosize
        minRows={2}
        maxRows={8}
        value={models}
        error={problems.trusted_models}
        onChange={(event) => change('trusted_models', readLines(event.currentTarget.value))}
      />
      <p className={styles.hint}>One name per line, such as gpt-4o*. If empty, all models are trusted.</p>
    </>
  );
}

function MarkupField({ shown, problems, change }: SettingsFields) {
  const { data: user } = useQuery(currentUserQuery);
  const isOperator = user?.role.permissions.includes('super_admin') ?? false;
  return (
    <NumberField
      label="Markup"
      unit="%"
      emptyMeans="absent"
      disabled={!isOperator}
      description={isOperator ? undefined : 'Only a super administrator may change it.'}
      value={shown.markup_percentage}
      error={problems.markup_percentage}
      onChange={(percent) => change('markup_percentage', percent ?? '')}
    />
  );
}

const readLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

export function SettingsForm({ saved }: { saved: TenantSettings }) {
  const { fields, submit, ...saving } = useSettingsForm(saved);
  const { shown, problems, change } = fields;
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <SettingsSection title="Tenant" text="Shown to all users of this tenant.">
        <TextInput
          label="Name"
          value={shown.name}
          error={problems.name}
          onChange={(event) => change('name', event.currentTarget.value)}
        />
      </SettingsSection>
      <SettingsSection
        title="Days and months"
        text="Daily and monthly quotas reset at midnight in this zone. Logs and reports use its dates. Changing the zone starts a new day and a new month, so all quotas are full again."
      >
        <TimeZoneField
          value={shown.time_zone}
          error={problems.time_zone}
          onChange={(zone) => zone !== null && change('time_zone', zone)}
        />
      </SettingsSection>
      <NewUserSection {...fields} />
      <KeySection {...fields} />
      <SecondFactorSection {...fields} />
      <LabelSection {...fields} />
      <PromptSections timeZone={saved.time_zone} {...fields} />
      <AnswerSections {...fields} />
      <UnpricedSection {...fields} />
      <PolicySection {...fields} />
      <SaveBar {...saving} />
    </form>
  );
}

function NewUserSection({ shown, problems, change }: SettingsFields) {
  return (
    <SettingsSection
      title="New users"
      text="Limits of users who are created, invited or signed up without limits of their own. Existing users do not change."
    >
      <QuotaFields
        emptyMeans="everywhere"
        bind={(name) => ({
          value: shown[`default_${name}`],
          error: problems[`default_${name}`],
          onChange: (quota: number | string | null) => change(`default_${name}`, quota),
        })}
      />
    </SettingsSection>
  );
}

function PolicySection({ shown, policyProblems, change }: SettingsFields) {
  const { deviation_policy: policy } = shown;
  if (typeof policy === 'string') return null;
  return (
    <SettingsSection
      title="Deviation policy"
      text="Each request moves its user’s score between 0 (on task) and 1. The score halves every seven days. Each change is explained on the request."
    >
      <PolicyFields
        policy={policy}
        problems={policyProblems}
        onChange={(changed) => change('deviation_policy', changed)}
        fallback={<SkeletonLines count={6} />}
      />
    </SettingsSection>
  );
}

function KeySection({ shown, problems, change }: SettingsFields) {
  return (
    <SettingsSection
      title="API keys"
      text="A user's new key has the scopes and the expiry of the previous one. Named keys are additional; each can be limited to models, protocols and networks."
    >
      <SwitchField
        label="Users may regenerate their own API key"
        checked={shown.users_regenerate_keys === true}
        onChange={({ currentTarget }) => change('users_regenerate_keys', currentTarget.checked)}
      />
      <SwitchField
        label="Users may create named API keys for themselves"
        checked={shown.users_create_keys === true}
        onChange={({ currentTarget }) => change('users_create_keys', currentTarget.checked)}
      />
      <NumberField
        label="Named keys per user"
        emptyMeans="absent"
        min={0}
        max={50}
        value={shown.api_keys_per_user}
        error={problems.api_keys_per_user}
        onChange={(count) => change('api_keys_per_user', count ?? '')}
      />
    </SettingsSection>
  );
}

function LabelSection({ shown, change }: SettingsFields) {
  return (
    <SettingsSection
      title="Labels"
      text="Teams, users, tasks and API keys have labels such as cost_center=4711, which are recorded on each request. Statements and Analytics add up usage by label."
    >
      <SwitchField
        label="Callers may label single requests with the header x-sluice-labels"
        checked={shown.accepts_request_labels === true}
        onChange={({ currentTarget }) => change('accepts_request_labels', currentTarget.checked)}
      />
    </SettingsSection>
  );
}

const factorRoles = [
  ['admin', 'Administrators must have a second factor'],
  ['user', 'Users must have a second factor'],
] as const;

function SecondFactorSection({ shown, change }: SettingsFields) {
  const { data: user } = useQuery(currentUserQuery);
  const { second_factor_roles: roles } = shown;
  const required = Array.isArray(roles) ? roles : [];
  return (
    <SettingsSection
      title="Second factor"
      text="Users whose role requires a second factor must set it up at the next sign-in to continue. API keys keep working, and identity providers check their own second factors."
    >
      {factorRoles.map(([role, label]) => (
        <SwitchField
          key={role}
          label={label}
          checked={required.includes(role)}
          onChange={({ currentTarget: { checked } }) =>
            change(
              'second_factor_roles',
              factorRoles
                .map(([name]) => name)
                .filter((name) => (name === role ? checked : required.includes(name))),
            )
          }
        />
      ))}
      {user?.role.permissions.includes('super_admin') && (
        <SwitchField
          label="Super administrators must have a second factor, in the whole installation"
          checked={shown.requires_super_admin_second_factor === true}
          onChange={({ currentTarget }) =>
            change('requires_super_admin_second_factor', currentTarget.checked)
          }
        />
      )}
    </SettingsSection>
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
