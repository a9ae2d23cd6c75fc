import ts from 'typescript';

/** Prefix of the comment before an intentional fixed sleep. The reason follows the prefix. */
const reason = 'Intentional delay:';
const loops = new Set([
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
]);

/** Returns the line numbers, starting at 1, at which a test sleeps for a fixed time instead of waiting for an event. */
export function findFixedSleeps(file: string, text: string): number[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const sleeps = namesOfSleep(source);
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    const isSleep = ts.isCallExpression(node)
      ? node.expression.getText().endsWith('.waitForTimeout')
      : ts.isAwaitExpression(node) && isTimer(node.expression, sleeps);
    if (isSleep && !isInLoop(node) && !hasReason(node, text))
      found.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namesOfSleep(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const { importClause, moduleSpecifier } = statement;
    const bindings = importClause?.namedBindings;
    if (moduleSpecifier.getText().slice(1, -1) !== 'node:timers/promises') continue;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements)
      if ((propertyName ?? name).getText() === 'setTimeout') names.add(name.text);
  }
  return names;
}

function isTimer(expression: ts.Expression, sleeps: ReadonlySet<string>): boolean {
  if (ts.isCallExpression(expression)) return sleeps.has(expression.expression.getText());
  return ts.isNewExpression(expression) && /^new Promise\b.*\bsetTimeout\(/s.test(expression.getText());
}

/** A sleep in a loop is polling and allowed. */
function isInLoop(node: ts.Node): boolean {
  for (let at = node.parent; at && !ts.isFunctionLike(at); at = at.parent)
    if (loops.has(at.kind)) return true;
  return false;
}

function hasReason(node: ts.Node, text: string): boolean {
  const statement = ts.findAncestor(node, ts.isStatement) ?? node;
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  return comments.some(({ pos, end }) => text.slice(pos, end).includes(reason));
}
