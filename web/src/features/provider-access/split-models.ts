const shownMax = 3;

/** What a cell has room for: up to three models; of more, the first two. */
export function splitModels(models: readonly string[]): {
  shown: readonly string[];
  more: readonly string[];
} {
  if (models.length <= shownMax) return { shown: models, more: [] };
  return { shown: models.slice(0, shownMax - 1), more: models.slice(shownMax - 1) };
}

/** What a change of a grant adds and takes away. */
export function compareModels(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((model) => !before.includes(model)),
    removed: before.filter((model) => !after.includes(model)),
  };
}
