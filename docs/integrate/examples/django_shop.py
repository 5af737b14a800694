"""A shop with Django 5 and nothing else. Start it with: python django_shop.py runserver 127.0.0.1:4000"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import sys
import time
import urllib.request

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import connection, models, transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

DATABASE = {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ.get("SHOP_DATABASE", "shop.sqlite3")}
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], DATABASES={"default": DATABASE}, USE_TZ=True)
django.setup()


class Order(models.Model):
    id = models.CharField(primary_key=True, max_length=20)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    refid = models.CharField(max_length=22, null=True)
    state = models.CharField(max_length=20, default="new")
    seq = models.IntegerField(default=0)
    is_paid = models.BooleanField(default=False)

    class Meta:
        app_label = "shop"


@csrf_exempt  # in your shop the form has a token
@require_POST
def buy(request):
    order = Order.objects.create(id=secrets.token_hex(8), amount="12.50")  # from your books, never from the browser
    page = f"{os.environ['SHOP_URL']}/orders/{order.id}"
    key = os.environ["PAYLINK_KEY"]
    body = {
        "amount": order.amount,
        "amount_currency": "usd",
        "payment_reference": order.id,
        "customer_details": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Obi"},
        "success_url": page,
        "cancel_url": page,
    }
    headers = {
        "content-type": "application/json",
        "idempotency-key": order.id,
        "x-staging-api-key" if key.startswith("pl_test_") else "x-api-key": key,
    }
    url = f"{os.environ['PAYLINK_URL']}/v1/payment-links"
    asked = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        link = json.load(answer)["data"]
    Order.objects.filter(id=order.id).update(refid=link["refid"])
    response = HttpResponseRedirect(link["payment_link"])
    response.status_code = 303
    return response


@csrf_exempt
@require_POST
def webhooks(request):
    if not is_signed(request.body, request.headers):  # the raw bytes are what was signed
        return HttpResponse(status=401)
    handle(json.loads(request.body)["data"])
    return HttpResponse(status=204)


def is_signed(body, headers):
    key = base64.b64decode(os.environ["PAYLINK_WEBHOOK_SECRET"].removeprefix("whsec_"))
    if not key:
        raise RuntimeError("PAYLINK_WEBHOOK_SECRET is not set")  # anyone can sign with an empty key
    sent_at = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    is_right = any([hmac.compare_digest(expected, one) for one in signatures])
    return is_right and sent_at.isdecimal() and abs(time.time() - int(sent_at)) <= 300


def handle(data):
    """A repeated or older event has no higher seq. The state says whether the whole amount is paid and final."""
    if "seq" not in data:
        return
    with transaction.atomic():
        order = Order.objects.filter(id=data["payment_reference"], refid=data["refid"])
        if not order.filter(seq__lt=data["seq"]).update(seq=data["seq"], state=data["state"]):
            return
        is_paid = data["state"] in ("completed", "overpaid")
        if is_paid and order.filter(is_paid=False).update(is_paid=True):
            print(f"order {data['payment_reference']} is paid", flush=True)  # ship it
        if not is_paid and order.filter(is_paid=True).exists():
            print(f"order {data['payment_reference']} is not paid any more", flush=True)  # a reorganization: stop it until it is again


def show(request, order_id):
    return HttpResponse(get_object_or_404(Order, id=order_id).state)


urlpatterns = [path("buy", buy), path("webhooks", webhooks), path("orders/<order_id>", show)]

if __name__ == "__main__":
    if Order._meta.db_table not in connection.introspection.table_names():  # in your shop: a migration
        with connection.schema_editor() as editor:
            editor.create_model(Order)
    execute_from_command_line(sys.argv)
