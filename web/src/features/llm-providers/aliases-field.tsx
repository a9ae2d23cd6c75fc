import { Button } from '@mantine/core';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { DeleteIcon } from '../../components/ui/action-icons.ts';
import { IconButton } from '../../components/ui/icon-button.tsx';
import styles from './aliases-field.module.css';
import type { ProviderFormState } from './provider-form.ts';

/** Aliases that callers may use, each for one of the enabled models. */
export function AliasesField({ form: { values, bind, setValue } }: { form: ProviderFormState }) {
  const { model_aliases: aliases, enabled_models: enabled } = values;
  const models = enabled.map((model) => ({ value: model, label: model }));
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>Model aliases (optional)</legend>
      <p className={styles.hint}>
        A name that callers may use in place of a model's, such as <code>fast</code>.
      </p>
      {aliases.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their position
        <div key={index} className={styles.row}>
          <TextField
            aria-label={`Alias ${index + 1}`}
            placeholder="fast"
            autoCapitalize="none"
            spellCheck={false}
            {...bind(`model_aliases.${index}.alias`)}
          />
          <SelectField
            aria-label={`Model of alias ${index + 1}`}
            placeholder="Select a model"
            options={models}
            {...bind(`model_aliases.${index}.model`)}
          />
          <IconButton
            label={`Remove alias ${index + 1}`}
            icon={DeleteIcon}
            onClick={() => setValue('model_aliases', aliases.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={enabled.length === 0}
        onClick={() => setValue('model_aliases', [...aliases, { alias: '', model: enabled[0] ?? '' }])}
      >
        Add Alias
      </Button>
    </fieldset>
  );
}
