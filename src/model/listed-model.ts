import { type ModelMarks, marksOf } from './model-marks.ts';
import type { ProviderModel } from './provider.ts';

export type ListedModel = ProviderModel & ModelMarks;

export const withMarks = (models: readonly ProviderModel[]): readonly ListedModel[] =>
  models.map(({ window, ...model }) => ({ ...model, ...marksOf(model.model), ...(window === undefined ? {} : { context: window }) }));
