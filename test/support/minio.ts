import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './free-port.ts'
import { serviceBinary } from './services.ts'

/** An S3 server of the tests' own, with its data in a temporary folder, on a free port of 127.0.0.1. */
export interface MinioServer {
  port: number
  endpoint: string
  accessKey: string
  secretKey: string
  bucket: string
  /** A client of the official driver, to look at what is there. */
  client: S3Client
  stop(): Promise<void>
}

export const minioProgram = serviceBinary('minio')

export async function startMinio(): Promise<MinioServer> {
  if (minioProgram === null) throw new Error('MinIO has not been built')
  const folder = mkdtempSync(join(tmpdir(), 'headgate-minio-'))
  const port = await freePort()
  const [accessKey, secretKey, bucket] = ['headgate', 'sécret/key+word', 'lake']
  const child = spawn(
    minioProgram,
    ['server', join(folder, 'data'), '--address', `127.0.0.1:${port}`, '--console-address', '127.0.0.1:0'],
    {
      env: {
        ...process.env,
        HOME: folder,
        MINIO_ROOT_USER: accessKey,
        MINIO_ROOT_PASSWORD: secretKey,
        MINIO_CI_CD: '1',
      },
      stdio: 'ignore',
    },
  )
  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  })
  await ready(endpoint, child)
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    port,
    endpoint,
    accessKey,
    secretKey,
    bucket,
    client,
    async stop() {
      client.destroy()
      const gone = child.exitCode === null ? once(child, 'exit') : null
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ready(endpoint: string, child: ReturnType<typeof spawn>): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`MinIO ended with ${child.exitCode}`)
    const answer = await fetch(`${endpoint}/minio/health/cluster`).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    if (Date.now() > end) throw new Error('MinIO did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
