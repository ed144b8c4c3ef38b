import manifest from '../../../package.json' with { type: 'json' }

/** Version of the product. */
export const version: string = manifest.version
/** Version of the REST interface. */
export const interfaceVersion = '1.0.0'
