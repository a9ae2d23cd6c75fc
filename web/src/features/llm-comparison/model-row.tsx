import { SelectField } from '../../components/forms/select-field.tsx';
import { DeleteIcon } from '../../components/ui/action-icons.ts';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { ComparedModel } from './choices.ts';
import styles from './form.module.css';
import type { Draft } from './use-draft.ts';

interface ModelRowProps {
  /** From 1. */
  number: number;
  row: ComparedModel;
  draft: Draft;
}

/** One provider and model to compare. */
export function ModelRow({ number, row, draft }: ModelRowProps) {
  const { providers, chooseProvider, chooseModel, remove } = draft;
  const models = providers?.find(({ registryId }) => registryId === row.registryId)?.models ?? [];
  const listed = row.model === '' || models.includes(row.model) ? models : [row.model, ...models];
  return (
    <li className={styles.row}>
      <span className={`num ${styles.number}`} aria-hidden="true">
        {number}
      </span>
      <SelectField
        aria-label={`Provider ${number}`}
        placeholder="Select a provider"
        loadingText="Loading providers..."
        isLoading={providers === undefined && draft.answer.isPending}
        options={(providers ?? []).map(({ registryId, label }) => ({ value: registryId, label }))}
        value={row.registryId}
        onChange={(chosen) => chooseProvider(row.key, chosen === '' ? null : Number(chosen))}
      />
      <SelectField
        aria-label={`Model ${number}`}
        placeholder="Select a model"
        disabled={row.registryId === null}
        options={listed.map((model) => ({ value: model, label: model }))}
        value={row.model}
        onChange={(model) => chooseModel(row.key, model)}
      />
      <IconButton
        label={`Remove row ${number}`}
        icon={DeleteIcon}
        disabled={draft.rows.length === 1}
        onClick={() => remove(row.key)}
      />
    </li>
  );
}
