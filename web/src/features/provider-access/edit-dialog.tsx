import { updateAccessBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import styles from './changes-summary.module.css';
import { compareModels, describeModels } from './columns.tsx';
import { type Access, grantableProvidersQuery, holderOf, updateAccess, useAccessChange } from './queries.ts';

interface EditAccessDialogProps {
  access: Access;
  isOpen: boolean;
  onClose: () => void;
}

export function EditAccessDialog({ access, isOpen, onClose }: EditAccessDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Edit Access of ${holderOf(access)} to ${access.provider_instance_name}`}
      size="lg"
    >
      <EditAccess access={access} onSaved={onClose} />
    </Dialog>
  );
}

/** Waits for the choices before rendering the form, so that the form starts with the current grant. */
function EditAccess({ access, onSaved }: { access: Access; onSaved: () => void }) {
  const { data: providers, error } = useQuery(grantableProvidersQuery);
  if (!providers && !error) return <SkeletonLines count={6} />;
  const enabled = providers?.find(({ id }) => id === access.llm_provider_id)?.enabled_models;
  return <EditAccessForm access={access} enabled={enabled} onSaved={onSaved} />;
}

interface EditAccessFormProps {
  access: Access;
  /**
   * Enabled models of the instance; `undefined` if the instance is unknown, in which case models can only be removed.
   */
  enabled: readonly string[] | undefined;
  onSaved: () => void;
}

function EditAccessForm({ access, enabled, onSaved }: EditAccessFormProps) {
  const update = useAccessChange((models: string[]) => updateAccess(access, models));
  const { allowed_models: before } = access;
  const options = enabled ?? before;
  const form = useContractForm({
    schema: updateAccessBody,
    initialValues: { allowed_models: options.filter((model) => before.includes(model)) },
  });
  const goneCount = before.filter((model) => !options.includes(model)).length;
  return (
    <Form
      form={form}
      submitLabel="Update Access"
      pendingLabel="Updating..."
      fallbackProblem="Failed to update access"
      needsChange={goneCount === 0}
      onSubmit={async ({ allowed_models }) => {
        await update.mutateAsync(allowed_models);
        showSuccess(`Access of ${holderOf(access)} to ${access.provider_instance_name} was updated`);
        onSaved();
      }}
    >
      <ChecklistField
        label="Models"
        options={options}
        emptyText="This provider enables no models"
        {...form.bind('allowed_models')}
      />
      {goneCount > 0 && (
        <StatusMark kind="warn">
          {describeModels(goneCount)} of this access {goneCount === 1 ? 'is' : 'are'} no longer enabled by the
          provider and will be removed.
        </StatusMark>
      )}
      <ChangesSummary before={before} after={form.values.allowed_models} />
    </Form>
  );
}

interface ChangesSummaryProps {
  before: readonly string[];
  after: readonly string[];
}

function ChangesSummary({ before, after }: ChangesSummaryProps) {
  const { added, removed } = compareModels(before, after);
  return (
    <section className={styles.summary} aria-label="Changes Summary" aria-live="polite">
      <h3>Changes Summary</h3>
      {added.length === 0 && removed.length === 0 && <p className={styles.none}>No changes</p>}
      {added.length > 0 && <Change word="Added" sign="+" models={added} className={styles.added} />}
      {removed.length > 0 && <Change word="Removed" sign="−" models={removed} className={styles.removed} />}
    </section>
  );
}

interface ChangeProps {
  word: string;
  sign: string;
  models: readonly string[];
  className: string | undefined;
}

function Change({ word, sign, models, className }: ChangeProps) {
  return (
    <div className={styles.change}>
      <span className="num">
        {word} ({models.length})
      </span>
      <ul className={styles.models}>
        {models.map((model) => (
          <li key={model} className={`${styles.model} ${className}`}>
            <span aria-hidden="true">{sign}</span> {model}
          </li>
        ))}
      </ul>
    </div>
  );
}
