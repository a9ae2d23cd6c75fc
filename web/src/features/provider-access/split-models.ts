const shownMax = 3;

/** Returns the models that a cell shows: up to three, or the first two of more. */
export function splitModels(models: readonly string[]): {
  shown: readonly string[];
  more: readonly string[];
} {
  if (models.length <= shownMax) return { shown: models, more: [] };
  return { shown: models.slice(0, shownMax - 1), more: models.slice(shownMax - 1) };
}

/** Returns the models that a change of a grant adds and removes. */
export function compareModels(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((model) => !before.includes(model)),
    removed: before.filter((model) => !after.includes(model)),
  };
}
